package dev.semel.quarkus.runtime;

import io.quarkus.arc.runtime.BeanContainer;
import io.quarkus.runtime.annotations.Recorder;
import java.util.Set;

/** Hands what the build has found to the application that starts. */
@Recorder
public class OperationsRecorder {

    public void found(BeanContainer beans, Set<String> operations) {
        beans.beanInstance(MarkedOperations.class).found(operations);
    }
}
