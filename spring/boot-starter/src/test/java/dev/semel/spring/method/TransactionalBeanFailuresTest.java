package dev.semel.spring.method;

import dev.semel.spring.method.FailingBeans.Operations;
import dev.semel.spring.method.FailingBeans.Work;
import dev.semel.testkit.failures.FrontEnd;
import dev.semel.testkit.failures.Meaning;
import java.util.Map;

/** What failures mean to bean methods of the mode TRANSACTIONAL. */
class TransactionalBeanFailuresTest extends BeanFailures {

    @Override
    protected FrontEnd frontEnd() {
        return FrontEnd.BEAN_TRANSACTIONAL;
    }

    @Override
    protected Map<String, Scenario> scenarios() {
        Map<String, Scenario> scenarios = super.scenarios();
        scenarios.put("step-not-recorded", this::stepNotRecorded);
        return scenarios;
    }

    @Override
    String method() {
        return "transactional";
    }

    @Override
    String call(Operations operations, String id, String input, Work work) throws Exception {
        return operations.transactional(id, input, work, null);
    }

    @Override
    Meaning undone() {
        return Meaning.ROLLED_BACK;
    }
}
