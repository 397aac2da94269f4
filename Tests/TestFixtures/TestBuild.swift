/// The kind of build that runs the tests.
public enum TestBuild {
    /// Whether the code under test is optimized. Simulations use smaller sizes if it is not.
    public static var isOptimized: Bool {
        #if DEBUG
            false
        #else
            true
        #endif
    }
}
