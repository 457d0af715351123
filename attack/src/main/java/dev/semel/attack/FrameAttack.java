package dev.semel.attack;

import dev.semel.attack.lab.Answer;
import dev.semel.attack.lab.Http2;
import dev.semel.attack.lab.Lab;
import dev.semel.attack.lab.Observed;
import dev.semel.attack.lab.Profile;
import dev.semel.attack.lab.Rule;
import dev.semel.attack.lab.Target;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A request of HTTP/2 as literal headers and a body, sent a few times, and what must be true afterwards. */
record FrameAttack(List<String> headers, String body, List<Rule> rules) implements Script {

    /** More than once, because one request may spoil a connection that another one uses. */
    private static final int TIMES = 2;

    @Override
    public Verdict run(Lab lab, Effort effort) throws IOException, InterruptedException {
        Target target = lab.target(Profile.TLS);
        lab.upstream().forget();
        List<Answer> answers = new ArrayList<>();
        for (int i = 0; i < TIMES; i++) {
            try (Http2 connection = target.connectHttp2()) {
                answers.add(send(connection));
            }
        }
        return ByteAttack.judge(
                Profile.TLS, target, new Observed(answers, lab.upstream().seen()), rules);
    }

    private Answer send(Http2 connection) throws IOException {
        String[] block = headers.toArray(String[]::new);
        if (body.isEmpty()) {
            connection.request(Http2.END_STREAM, block);
        } else {
            int stream = connection.request(0, block);
            connection.frame(Http2.DATA, Http2.END_STREAM, stream, body.getBytes(StandardCharsets.ISO_8859_1));
        }
        connection.flush();
        return connection.answer();
    }
}
