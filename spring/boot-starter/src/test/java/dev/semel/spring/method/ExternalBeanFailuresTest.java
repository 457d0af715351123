package dev.semel.spring.method;

import dev.semel.spring.method.FailingBeans.Operations;
import dev.semel.spring.method.FailingBeans.Work;
import dev.semel.testkit.failures.FrontEnd;
import dev.semel.testkit.failures.Meaning;
import java.util.Map;

/** What failures mean to bean methods of the mode EXTERNAL. */
class ExternalBeanFailuresTest extends BeanFailures {

    @Override
    protected FrontEnd frontEnd() {
        return FrontEnd.BEAN;
    }

    @Override
    protected Map<String, Scenario> scenarios() {
        Map<String, Scenario> scenarios = super.scenarios();
        scenarios.put("step-not-recorded", this::stepNotRecorded);
        return scenarios;
    }

    @Override
    String method() {
        return "external";
    }

    @Override
    String call(Operations operations, String id, String input, Work work) throws Exception {
        return operations.external(id, input, work, null);
    }

    @Override
    Meaning undone() {
        return Meaning.RELEASED;
    }
}
