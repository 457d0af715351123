#!/bin/sh
# Types the quick start for Quarkus, as it is written in docs/frameworks.md, into a new project, and tries it.
set -eu
# shellcheck source=examples/quick-start-parts.sh
. "$(dirname -- "$0")/quick-start-parts.sh"

quoted() {
    typed docs/frameworks.md '## Quarkus' "$1" 1
}

deploy quarkus/deployment,bom
quoted xml | pom "<dependencyManagement><dependencies>
    $(bom io.quarkus quarkus-bom "$(version quarkus)")
    $(bom dev.semel semel-bom "$(semel)")
  </dependencies></dependencyManagement>
  <build><plugins><plugin>
    <groupId>io.quarkus</groupId><artifactId>quarkus-maven-plugin</artifactId><version>$(version quarkus)</version>
    <executions><execution><goals><goal>build</goal></goals></execution></executions>
  </plugin></plugins></build>"
{
    echo 'package com.example;'
    echo 'import dev.semel.rest.Idempotent;'
    echo 'import io.smallrye.mutiny.Uni;'
    echo 'import jakarta.ws.rs.*;'
    echo 'import java.util.UUID;'
    quoted java
} >"$project/src/main/java/com/example/Payments.java"
quoted properties >"$project/src/main/resources/application.properties"

build package
java -Dquarkus.http.port=$port -jar "$project/target/quarkus-app/quarkus-run.jar" >"$work/service.log" 2>&1 &
service=$!
pay_twice "localhost:$port/payments"
