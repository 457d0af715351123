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
        long now = Instant.now().getEpochSecond();
        token(list, "unsigned", "alg: none", tokens -> tokens.unsigned("{\"alg\":\"none\"}", alice));
        token(list, "unsigned-spelled", "alg: nOnE", tokens -> tokens.unsigned("{\"alg\":\"nOnE\"}", alice));
        token(list, "stripped", "no signature", tokens -> tokens.unsigned("{\"alg\":\"ES256\"}", alice));
        token(list, "zeros", "a signature of zeros", tokens -> tokens.signedWithZeros(alice));
        String mallory = Tokens.claims("mallory");
        token(list, "swapped", "a signature of other claims", tokens -> tokens.swapped(mallory, alice));
        foreign(list, "foreign-key", "another key", tokens -> "");
        String confused = "alg: HS256 with the public key";
        token(list, "public-key-as-secret", confused, tokens -> tokens.signedWithThePublicKey(alice));
        String own = "another key that the token itself brings";
        foreign(list, "embedded-key", own, tokens -> "\"jwk\":" + tokens.foreignKey());
        String elsewhere = "another key that the token says where to find";
        foreign(list, "key-elsewhere", elsewhere, tokens -> "\"jku\":\"http://127.0.0.1:9/keys\"");
        foreign(list, "kid-of-a-file", "a kid that names an empty file", tokens -> "\"kid\":\"../../../../dev/null\"");
        foreign(list, "kid-of-a-query", "a kid that is SQL", tokens -> "\"kid\":\"x' UNION SELECT 'k'--\"");
        signed(list, "expired", "exp an hour ago", claims(alice, "\"exp\":" + (now - 3600)));
        signed(list, "without-expiry", "no exp", claims(alice, "\"x\":1"));
        signed(list, "not-yet", "nbf in an hour", claims(alice, "\"exp\":" + (now + 600) + ",\"nbf\":" + (now + 4200)));
        signed(list, "foreign-issuer", "another iss", alice.replace("issuer.example", "evil.example"));
        signed(list, "foreign-audience", "another aud", alice.replace("payments", "wiki"));
        signed(list, "no-subject", "no sub", alice.replace("\"sub\"", "\"bus\""));
        String critical = "{\"alg\":\"ES256\",\"crit\":[\"x\"],\"x\":1}";
        String type = "{\"alg\":\"ES256\",\"typ\":\"logout+jwt\"}";
        token(list, "unknown-critical-header", "an unknown critical header", tokens -> tokens.signed(critical, alice));
        token(list, "other-type", "typ: logout+jwt", tokens -> tokens.signed(type, alice));
        list.script("token-that-is-good", "typ: JWT and typ: at+jwt must be believed", TokenAttacks::good);
        return list.all();
    }

    /** A token that the issuer has signed. */
    private static void signed(Listing list, String name, String about, String claims) {
        token(list, name, about, tokens -> tokens.signed(claims));
    }

    /** Claims of Alice's that another key has signed, with a header that explains it. */
    private static void foreign(Listing list, String name, String about, Function<Tokens, String> header) {
        token(list, name, about, tokens -> {
            String more = header.apply(tokens);
            String whole = "{\"alg\":\"ES256\"" + (more.isEmpty() ? "" : "," + more) + "}";
            return tokens.signedByAnother(whole, Tokens.claims("alice"));
        });
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
