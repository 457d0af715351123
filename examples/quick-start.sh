#!/bin/sh
# Types the quick start of the README, as it is written there, into a new Spring Boot project, and tries it.
set -eu
# shellcheck source=examples/quick-start-parts.sh
. "$(dirname -- "$0")/quick-start-parts.sh"

quoted() {
    typed README.md '## Quick start' "$1" 1
}

[ "$(quoted java | wc -l)" -le 8 ] || {
    echo "the quick start has more than eight lines of Java" >&2
    exit 1
}

deploy spring/boot-starter
{
    dependency org.springframework.boot spring-boot-starter-webmvc "$(version spring-boot)"
    quoted xml
} | pom "<dependencyManagement><dependencies><dependency>
    <groupId>org.springframework.boot</groupId><artifactId>spring-boot-dependencies</artifactId>
    <version>$(version spring-boot)</version><type>pom</type><scope>import</scope>
  </dependency></dependencies></dependencyManagement>"
cat >"$project/src/main/java/com/example/Application.java" <<END
package com.example;

@org.springframework.boot.autoconfigure.SpringBootApplication
class Application {
    public static void main(String[] arguments) {
        org.springframework.boot.SpringApplication.run(Application.class, arguments);
    }
}
END
{
    echo 'package com.example;'
    echo 'import dev.semel.spring.Idempotent;'
    echo 'import java.util.UUID;'
    echo 'import org.springframework.web.bind.annotation.*;'
    quoted java
} >"$project/src/main/java/com/example/Payments.java"
quoted properties >"$project/src/main/resources/application.properties"

compile
start Application --server.port=$port
quoted console | sed -n 's|^\$ ||p' | replayed
grep -q '^receipt .* for book$' "$work/answer" || { cat "$work/answer" >&2; exit 1; }
