#!/bin/sh
# Types the quick start for gRPC, as docs/frameworks.md has it, into a new project, and tries it.
set -eu
# shellcheck source=examples/quick-start-parts.sh
. "$(dirname -- "$0")/quick-start-parts.sh"

quoted() {
    typed docs/frameworks.md '## gRPC' "$@"
}

deploy grpc
{
    quoted xml 1
    dependency io.grpc grpc-netty-shaded "$(version grpc)"
    dependency io.grpc grpc-stub "$(version grpc)"
} | pom "<build>
    <extensions><extension>
      <groupId>kr.motd.maven</groupId><artifactId>os-maven-plugin</artifactId><version>$(version os-plugin)</version>
    </extension></extensions>
    <plugins><plugin>
      <groupId>org.xolstice.maven.plugins</groupId><artifactId>protobuf-maven-plugin</artifactId>
      <version>$(version protobuf-plugin)</version>
      <configuration>
        <protocArtifact>com.google.protobuf:protoc:$(version protoc):exe:\${os.detected.classifier}</protocArtifact>
        <pluginId>grpc-java</pluginId>
        <pluginArtifact>io.grpc:protoc-gen-grpc-java:$(version protoc-gen-grpc-java):exe:\${os.detected.classifier}</pluginArtifact>
        <pluginParameter>@generated=omit</pluginParameter>
      </configuration>
      <executions><execution><goals><goal>compile</goal><goal>compile-custom</goal></goals></execution></executions>
    </plugin></plugins>
  </build>"
mkdir -p "$project/src/main/proto"
{
    echo 'syntax = "proto3";'
    echo 'option java_multiple_files = true;'
    echo 'option java_package = "com.example";'
    quoted proto 1
} >"$project/src/main/proto/payments.proto"
cat >"$project/src/main/java/com/example/Service.java" <<END
package com.example;

class Service extends PaymentsGrpc.PaymentsImplBase {
    @Override
    public void charge(ChargeRequest request, io.grpc.stub.StreamObserver<Receipt> response) {
        String text = "receipt " + java.util.UUID.randomUUID() + " for " + request.getOrder();
        response.onNext(Receipt.newBuilder().setText(text).build());
        response.onCompleted();
    }
}
END
cat >"$project/src/main/java/com/example/Application.java" <<END
package com.example;

import dev.semel.Semel;
import dev.semel.grpc.*;
import dev.semel.http.HttpGate;
import dev.semel.memory.InMemoryKeyStore;
import dev.semel.policy.Policy;
import io.grpc.*;

public class Application {
    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[0]);
        Service payments = new Service();
$(quoted java 1)
        server.awaitTermination();
    }
}
END
cat >"$project/src/main/java/com/example/Client.java" <<END
package com.example;

import dev.semel.grpc.SemelClientInterceptor;
import io.grpc.*;

public class Client {
    public static void main(String[] arguments) {
        String target = "localhost:" + arguments[0];
        String key = arguments[1];
$(quoted java 2)
        System.out.println(receipt.getText());
        channel.shutdownNow();
    }
}
END

compile
start Application $port
first=$(attempt run Client $port order-1)
second=$(run Client $port order-1)
other=$(run Client $port order-2)
echo "$first" | grep -q '^receipt .* for book' || { echo "$first" >&2; exit 1; }
[ "$first" = "$second" ] || { echo "$second" >&2; exit 1; }
[ "$first" != "$other" ] || { echo "$other" >&2; exit 1; }
echo "the quick start works: $second, twice"
