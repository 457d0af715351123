package dev.semel.bench.measure;

import java.util.Random;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;

/** The keys and the responses of the workload: an order and its lines, about half a kilobyte of JSON. */
public final class Payload {

    public static final String BEFORE = "{\"id\":\"";
    public static final String AFTER = """
            ","object":"order","status":"confirmed","created":1731650000,"currency":"eur","customer":"cus_Na6dX7aXxi11N4",\
            "lines":[{"sku":"A-1042","quantity":2,"price":1299,"tax":207},{"sku":"A-2210","quantity":1,"price":499,"tax":80},\
            {"sku":"B-0077","quantity":4,"price":250,"tax":160},{"sku":"C-5120","quantity":1,"price":8900,"tax":1421},\
            {"sku":"C-5121","quantity":1,"price":1200,"tax":192}],"subtotal":14197,"tax":2060,"shipping":490,\
            "total":16747,"paid":true,"gift":false,"note":null}""";

    private Payload() {}

    public static String of(String key) {
        return BEFORE + key + AFTER;
    }

    /** An expression that makes, in PostgreSQL, the payload of the key in the given column. */
    public static String sql(String column) {
        return "'" + BEFORE + "' || " + column + " || '" + AFTER + "'";
    }

    /** Lines of orders, the same at each call, which compress about as well as those of real ones. */
    public static String lines(int bytes) {
        Random random = new Random(bytes);
        StringBuilder lines = new StringBuilder();
        while (lines.length() < bytes) {
            lines.append("{\"id\":\"%016x\",\"sku\":\"A-%04d\",\"quantity\":%d,\"price\":%d,\"tax\":%d},"
                    .formatted(
                            random.nextLong(),
                            random.nextInt(10_000),
                            1 + random.nextInt(9),
                            random.nextInt(100_000),
                            random.nextInt(10_000)));
        }
        return lines.substring(0, bytes);
    }

    public static String newKey() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return new UUID(random.nextLong(), random.nextLong()).toString();
    }
}
