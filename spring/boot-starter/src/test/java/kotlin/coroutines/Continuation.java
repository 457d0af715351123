package kotlin.coroutines;

/** Stands for that of Kotlin, whose compiler gives every suspending function one. */
public interface Continuation<T> {}
