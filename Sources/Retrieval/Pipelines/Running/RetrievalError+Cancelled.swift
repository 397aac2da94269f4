extension RetrievalError {
    private static let cancellation = "the operation was cancelled"

    /// Returns the error for a cancelled operation.
    ///
    /// - Parameter place: Stage or model that was running.
    public static func cancelled(_ place: String) -> RetrievalError { RetrievalError(place, problem: cancellation) }

    /// Whether the operation was cancelled, which does not count as a failure.
    public var isCancellation: Bool { problem == Self.cancellation }
}
