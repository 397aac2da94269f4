extension RetrievalError {
    private static let cancellation = "the operation was cancelled"

    /// What is thrown where somebody cancelled the work.
    ///
    /// - Parameter place: the stage or the model that was at work.
    public static func cancelled(_ place: String) -> RetrievalError { RetrievalError(place, problem: cancellation) }

    /// Whether somebody cancelled the work, which is no failure.
    public var isCancellation: Bool { problem == Self.cancellation }
}
