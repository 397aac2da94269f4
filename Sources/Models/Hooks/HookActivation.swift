/// What a hook showed: numbers of a shape, row-major.
public struct HookActivation: Equatable, Sendable {
    /// As `Hook` documents it, without a batch axis.
    public var shape: [Int]
    public var values: [Float]

    public init(shape: [Int], values: [Float]) {
        self.shape = shape
        self.values = values
    }
}
