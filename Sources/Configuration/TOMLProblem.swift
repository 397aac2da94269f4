/// Why a text is no TOML.
package struct TOMLProblem: Error, Hashable, Sendable {
    /// From 1; nil where it is not known.
    package let line: Int?
    /// What is wrong there, without a full stop.
    package let words: String

    /// `this is no TOML: ...`.
    package var sentence: String { "this is no TOML: \(words)" }
}
