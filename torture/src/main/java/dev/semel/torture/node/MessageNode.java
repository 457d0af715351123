package dev.semel.torture.node;

import dev.semel.torture.broker.Consumers;

/** A node that consumes messages. Over HTTP, senders can look up how theirs have ended. */
record MessageNode(Consumers consumers, PlainNode lookUps) implements NodeServer {

    static MessageNode start(SemelSystem system, NodeOptions options, ControlHandler control) throws Exception {
        return new MessageNode(
                Consumers.start(options.door(), options.broker(), new MessageHandling(system, options)),
                PlainNode.start(system::find, control));
    }

    @Override
    public int port() {
        return lookUps.port();
    }

    @Override
    public void close() {
        lookUps.close();
        try {
            consumers.close();
        } catch (Exception e) {
            throw new IllegalStateException("the consumers do not stop", e);
        }
    }
}
