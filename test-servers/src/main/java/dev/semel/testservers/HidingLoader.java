package dev.semel.testservers;

import java.io.File;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.Callable;

/** Loads its own copy of the class path, without the classes of one package, as for a user without an optional module. */
public final class HidingLoader extends URLClassLoader {

    private final String hidden;

    /** @param hidden the name of the package, followed by a dot */
    public HidingLoader(String hidden) {
        super(classPath(), ClassLoader.getPlatformClassLoader());
        this.hidden = hidden;
    }

    private static URL[] classPath() {
        return Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                .map(HidingLoader::url)
                .toArray(URL[]::new);
    }

    private static URL url(String entry) {
        try {
            return Path.of(entry).toUri().toURL();
        } catch (MalformedURLException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
        if (name.startsWith(hidden)) {
            throw new ClassNotFoundException(name + " is hidden");
        }
        return super.loadClass(name, resolve);
    }

    /** Calls a class of that kind, which has a constructor without parameters, among these classes. */
    public Object call(Class<? extends Callable<?>> type) throws Exception {
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(this);
        try {
            Constructor<?> constructor = loadClass(type.getName()).getDeclaredConstructor();
            constructor.setAccessible(true);
            return ((Callable<?>) constructor.newInstance()).call();
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
