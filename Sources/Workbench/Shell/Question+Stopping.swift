package import Console

extension Question {
    /// Returns a question before work is stopped.
    ///
    /// - Parameters:
    ///   - title: Name of the work, such as `eval gsm8k` or `train tiny`.
    ///   - progress: Progress, such as `1,388 of 16,800 samples (8.3 %)`; `nil` if unknown.
    ///   - remains: Sentence about what stopping preserves, such as `Finished samples are saved.`
    ///   - value: Answer that stops the work.
    package static func stopping(
        _ title: String, progress: String?, remains: String? = nil, value: Value
    ) -> Question {
        let name = Escape.printable(title).truncated(toColumns: 44)
        return Question(
            "Stop \(name)?", lines: [progress.map { "Progress: \($0)." }, remains].compactMap(\.self),
            escape: "keep it running", [.init("s", "stop \(name)", value: value)])
    }
}
