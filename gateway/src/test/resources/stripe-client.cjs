// Pays with Stripe's own library, and prints what it got. Arguments: the port, and where the library is.
const [port, library] = process.argv.slice(2);
const Stripe = require(library);
const client = new (Stripe.default ?? Stripe)('sk_test_1', {
  host: '127.0.0.1', port: Number(port), protocol: 'http', timeout: 1000, maxNetworkRetries: 6, telemetry: false,
});

const pay = (order, description, idempotencyKey) =>
  client.paymentIntents.create(
    { amount: 2000, currency: 'eur', description, metadata: { order } },
    idempotencyKey ? { idempotencyKey } : undefined);

async function main() {
  const said = {};
  said.first = (await pay(1, 'quick', 'k1')).id;
  const again = await pay(1, 'quick', 'k1');
  said.again = again.id;
  said.againMark = again.lastResponse.headers['idempotent-replayed'];
  try {
    said.otherBody = 'taken for a success: ' + JSON.stringify(await pay(9, 'quick', 'k1'));
  } catch (e) {
    said.otherBody = e.type + ' ' + e.statusCode;
  }
  [said.lostAnswer, said.inFlight] =
    (await Promise.all([pay(2, 'quick'), pay(3, 'slow')])).map(payment => payment.id);
  console.log(JSON.stringify(said));
}

main().catch(e => {
  console.error(e);
  process.exit(1);
});
