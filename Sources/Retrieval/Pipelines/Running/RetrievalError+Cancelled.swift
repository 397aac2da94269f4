extension RetrievalError {
    private static let cancellation = "the operation was canceled"

    /// Returns the error for a canceled operation.
    ///
    /// - Parameter place: Stage or model that was running.
    public static func cancelled(_ place: String) -> RetrievalError { RetrievalError(place, problem: cancellation) }

    /// Whether the operation was canceled, which does not count as a failure.
    public var isCancellation: Bool { problem == Self.cancellation }
}
