package dev.semel.rest;

import jakarta.ws.rs.ext.WriterInterceptor;
import jakarta.ws.rs.ext.WriterInterceptorContext;
import java.io.IOException;
import java.io.OutputStream;
import java.util.zip.GZIPOutputStream;

/** Zips what a resource says is zipped, except for the sample application, which does so itself. */
public final class GzipInterceptor implements WriterInterceptor {

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
