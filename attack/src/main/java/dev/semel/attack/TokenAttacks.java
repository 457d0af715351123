package dev.semel.attack;

import static dev.semel.attack.lab.Requests.charge;

import dev.semel.attack.lab.Answer;
import dev.semel.attack.lab.Lab;
import dev.semel.attack.lab.Profile;
import dev.semel.attack.lab.Rule;
import dev.semel.attack.lab.Target;
import dev.semel.attack.lab.Tokens;
import dev.semel.attack.lab.Wire;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

/** Tokens that prove nothing. */
final class TokenAttacks {

    private TokenAttacks() {}

    static List<Attack> all() {
        Listing list = new Listing(Group.IDENTITY).on(Profile.JWT);
        String alice = Tokens.claims("alice");
        Instant later = Instant.now().plusSeconds(600);
        token(list, "unsigned", "alg: none", tokens -> tokens.unsigned("{\"alg\":\"none\"}", alice));
        token(list, "unsigned-spelled", "alg: nOnE", tokens -> tokens.unsigned("{\"alg\":\"nOnE\"}", alice));
        token(list, "stripped", "no signature", tokens -> tokens.unsigned("{\"alg\":\"ES256\"}", alice));
        token(list, "zeros", "a signature of zeros", tokens -> tokens.signedWithZeros(alice));
        token(
                list,
                "swapped",
                "a signature of other claims",
                tokens -> tokens.swapped(Tokens.claims("mallory"), alice));
        token(list, "foreign-key", "another key", tokens -> tokens.signedByAnother("{\"alg\":\"ES256\"}", alice));
        token(
                list,
                "public-key-as-secret",
                "alg: HS256 with the public key",
                tokens -> tokens.signedWithThePublicKey(alice));
        token(
                list,
                "embedded-key",
                "another key that the token itself brings",
                tokens -> tokens.signedByAnother("{\"alg\":\"ES256\",\"jwk\":" + tokens.foreignKey() + "}", alice));
        token(
                list,
                "key-elsewhere",
                "another key that the token says where to find",
                tokens -> tokens.signedByAnother("{\"alg\":\"ES256\",\"jku\":\"http://127.0.0.1:9/keys\"}", alice));
        token(
                list,
                "kid-of-a-file",
                "a kid that names an empty file",
                tokens -> tokens.signedByAnother("{\"alg\":\"ES256\",\"kid\":\"../../../../dev/null\"}", alice));
        token(
                list,
                "kid-of-a-query",
                "a kid that is SQL",
                tokens -> tokens.signedByAnother("{\"alg\":\"ES256\",\"kid\":\"x' UNION SELECT 'k'--\"}", alice));
        token(
                list,
                "expired",
                "exp an hour ago",
                tokens -> tokens.signed(claims(
                        alice, "\"exp\":" + Instant.now().minusSeconds(3600).getEpochSecond())));
        token(list, "without-expiry", "no exp", tokens -> tokens.signed(claims(alice, "\"x\":1")));
        token(
                list,
                "not-yet",
                "nbf in an hour",
                tokens -> tokens.signed(claims(
                        alice,
                        "\"exp\":" + later.getEpochSecond() + ",\"nbf\":"
                                + later.plusSeconds(3600).getEpochSecond())));
        token(
                list,
                "foreign-issuer",
                "another iss",
                tokens -> tokens.signed(alice.replace("issuer.example", "evil.example")));
        token(list, "foreign-audience", "another aud", tokens -> tokens.signed(alice.replace("payments", "wiki")));
        token(list, "no-subject", "no sub", tokens -> tokens.signed(alice.replace("\"sub\"", "\"bus\"")));
        token(
                list,
                "unknown-critical-header",
                "a critical header that nobody knows",
                tokens -> tokens.signed("{\"alg\":\"ES256\",\"crit\":[\"x\"],\"x\":1}", alice));
        token(
                list,
                "other-type",
                "typ: logout+jwt",
                tokens -> tokens.signed("{\"alg\":\"ES256\",\"typ\":\"logout+jwt\"}", alice));
        list.script("token-that-is-good", "typ: JWT and typ: at+jwt must be believed", TokenAttacks::good);
        return list.all();
    }

    private static String claims(String claims, String instead) {
        return claims.replaceAll("\"exp\":\\d+", instead);
    }

    private static void token(Listing list, String name, String about, Function<Tokens, String> token) {
        list.script(
                "token-" + name,
                "a token: " + about,
                (lab, effort) -> new ByteAttack(
                                Profile.JWT,
                                false,
                                List.of(with(token.apply(lab.tokens()), "token-" + name)),
                                List.of(Rule.refused()))
                        .run(lab, effort));
    }

    private static String with(String token, String name) {
        return charge(name, "").replace("Bearer alice", "Bearer " + token);
    }

    /** Without this one, a gateway that refuses everybody would withstand all the others. */
    private static Verdict good(Lab lab, Effort effort) throws IOException, InterruptedException {
        Target target = lab.target(Profile.JWT);
        for (String type : List.of("JWT", "at+jwt")) {
            String header = "{\"alg\":\"ES256\",\"typ\":\"" + type + "\"}";
            String token = lab.tokens().signed(header, Tokens.claims("alice"));
            try (Wire wire = target.connect()) {
                Answer answer =
                        wire.send(with(token, "good-" + type.replace('+', '-'))).answer();
                if (answer.status() != 201) {
                    return Verdict.failed("typ: " + type + " got " + answer);
                }
            }
        }
        return Verdict.held("201");
    }
}
