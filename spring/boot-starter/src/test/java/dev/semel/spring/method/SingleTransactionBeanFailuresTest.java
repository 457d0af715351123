package dev.semel.spring.method;

import dev.semel.spring.method.FailingBeans.Operations;
import dev.semel.spring.method.FailingBeans.Work;
import dev.semel.testkit.failures.FrontEnd;
import dev.semel.testkit.failures.Meaning;

/** What failures mean to bean methods of the mode SINGLE_TRANSACTION. */
class SingleTransactionBeanFailuresTest extends BeanFailures {

    @Override
    protected FrontEnd frontEnd() {
        return FrontEnd.BEAN_SINGLE_TRANSACTION;
    }

    @Override
    String method() {
        return "single";
    }

    @Override
    String call(Operations operations, String id, String input, Work work) throws Exception {
        return operations.single(id, input, work, null);
    }

    @Override
    Meaning undone() {
        return Meaning.ROLLED_BACK;
    }
}
