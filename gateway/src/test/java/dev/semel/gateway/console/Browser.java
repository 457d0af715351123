package dev.semel.gateway.console;

import static org.awaitility.Awaitility.await;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.logging.Level;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Assumptions;
import org.openqa.selenium.By;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebDriverException;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.interactions.Actions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;

/** One headless Chromium for all tests of this JVM. */
public final class Browser {

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final String AXE = axe();

    private static Browser shared;

    private final ChromeDriver driver;

    private Browser(ChromeDriver driver) {
        this.driver = driver;
    }

    /** The browser, as new; without one on this machine, the test that asks is skipped. */
    public static synchronized Browser open() {
        Optional<File> chromium = find("chromium");
        Optional<File> chromedriver = find("chromedriver");
        Assumptions.assumeTrue(chromium.isPresent(), "there is no chromium on the PATH (Debian package chromium)");
        Assumptions.assumeTrue(
                chromedriver.isPresent(), "there is no chromedriver on the PATH (Debian package chromium-driver)");
        if (shared == null) {
            shared = start(chromium.get(), chromedriver.get());
            Runtime.getRuntime().addShutdownHook(new Thread(shared.driver::quit, "stop-chromium"));
        }
        shared.reset();
        return shared;
    }

    private static String axe() {
        try (InputStream script = Browser.class.getResourceAsStream("/axe.min.js")) {
            return new String(script.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<File> find(String command) {
        return Arrays.stream(System.getenv("PATH").split(File.pathSeparator))
                .map(directory -> new File(directory, command))
                .filter(File::canExecute)
                .findFirst();
    }

    private static Browser start(File chromium, File chromedriver) {
        LoggingPreferences logs = new LoggingPreferences();
        logs.enable(LogType.BROWSER, Level.ALL);
        ChromeOptions options = new ChromeOptions();
        options.setBinary(chromium);
        options.setCapability(ChromeOptions.LOGGING_PREFS, logs);
        options.addArguments(
                "--headless=new",
                "--no-sandbox",
                "--disable-gpu",
                "--disable-dev-shm-usage",
                "--disable-quic",
                "--no-first-run",
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
                "--window-size=1280,900");
        ChromeDriverService service = new ChromeDriverService.Builder()
                .usingDriverExecutable(chromedriver)
                .usingAnyFreePort()
                .build();
        return new Browser(new ChromeDriver(service, options));
    }

    private void reset() {
        driver.get("about:blank");
        width(1280);
        dark(false);
        consoleErrors();
    }

    public void go(String url) {
        driver.get(url);
    }

    public String address() {
        return driver.getCurrentUrl();
    }

    String title() {
        return driver.getTitle();
    }

    /** The element, as soon as it is there and visible. */
    public WebElement see(String css) {
        return await().alias("to see " + css)
                .atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(WebDriverException.class)
                .until(() -> driver.findElement(By.cssSelector(css)), WebElement::isDisplayed);
    }

    /** Waits until the element is there and shows this text. */
    public void see(String css, String text) {
        await().alias("to see \"" + text + "\" in " + css)
                .atMost(PATIENCE)
                .ignoreExceptionsInstanceOf(WebDriverException.class)
                .until(() -> driver.findElement(By.cssSelector(css)).getText(), shown -> shown.contains(text));
    }

    public List<String> all(String css) {
        return driver.findElements(By.cssSelector(css)).stream()
                .map(WebElement::getText)
                .toList();
    }

    void click(String css) {
        see(css).click();
    }

    void fill(String css, String text) {
        WebElement field = see(css);
        field.clear();
        field.sendKeys(text);
    }

    /** Presses keys one after the other, wherever the focus is. */
    void press(CharSequence... keys) {
        Stream.of(keys).forEach(key -> new Actions(driver).sendKeys(key).perform());
    }

    WebElement focused() {
        return driver.switchTo().activeElement();
    }

    @SuppressWarnings("unchecked")
    public <T> T ask(String script, Object... arguments) {
        return (T) driver.executeScript("return " + script, arguments);
    }

    /** A screen of this width, also one that is narrower than a window can be. */
    void width(int pixels) {
        screen(pixels, 800);
    }

    private void screen(int width, int height) {
        driver.executeCdpCommand(
                "Emulation.setDeviceMetricsOverride",
                Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    }

    void dark(boolean dark) {
        Map<String, String> scheme = Map.of("name", "prefers-color-scheme", "value", dark ? "dark" : "light");
        driver.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("features", List.of(scheme)));
    }

    /** What axe finds wrong with the page for people who cannot see it well, or have no mouse; a line for each. */
    List<String> barriers() {
        if (Boolean.FALSE.equals(ask("'axe' in window"))) {
            driver.executeScript(AXE);
        }
        Object found = driver.executeAsyncScript("const done = arguments[arguments.length - 1];"
                + "axe.run(document, { resultTypes: ['violations'] }).then("
                + "  result => done(result.violations.flatMap(rule => rule.nodes.map("
                + "    node => rule.id + ': ' + node.target.join(' ') + ' - ' + node.failureSummary))),"
                + "  failure => done(['axe failed: ' + failure]));");
        return ((List<?>) found).stream().map(String::valueOf).toList();
    }

    /** Keeps a picture of the page, as far down as a documentation wants it. */
    void picture(Path file) throws IOException {
        ask("document.documentElement.style.overflow = 'hidden'");
        Long height = ask("Math.min(1180, Math.max(500, document.documentElement.scrollHeight))");
        Long width = ask("window.innerWidth");
        screen(width.intValue(), height.intValue());
        Files.createDirectories(file.getParent());
        Files.write(file, driver.getScreenshotAs(OutputType.BYTES));
        ask("document.documentElement.style.overflow = ''");
        width(width.intValue());
    }

    /** What the page's console has complained of since the last time that it was asked. */
    public List<String> consoleErrors() {
        return StreamSupport.stream(driver.manage().logs().get(LogType.BROWSER).spliterator(), false)
                .filter(entry -> entry.getLevel().intValue() >= Level.WARNING.intValue())
                .map(LogEntry::getMessage)
                .toList();
    }
}
