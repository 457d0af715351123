package dev.semel.quarkus.it;

import jakarta.ws.rs.ext.Provider;
import jakarta.ws.rs.ext.WriterInterceptor;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.GZIPOutputStream;

/** Zips the text that a resource says is zipped. */
@Provider
public class GzipInterceptor implements WriterInterceptor {

    @Override
    public void aroundWriteTo(WriterInterceptorContext context) throws IOException {
        OutputStream out = context.getOutputStream();
        if (context.getHeaders().getFirst("Content-Encoding") == null || !(context.getEntity() instanceof String)) {
            context.proceed();
            return;
        }
        GZIPOutputStream zipped = new GZIPOutputStream(out);
        context.setOutputStream(zipped);
        context.proceed();
        zipped.finish();
        context.setOutputStream(out);
    }
}
