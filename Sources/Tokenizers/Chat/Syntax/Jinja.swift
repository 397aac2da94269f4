/// The template language of chat templates: Jinja as `transformers` sets it up.
///
/// From source to text: ``Lexer`` cuts the source into tokens, ``Parser`` makes statements and expressions of them, and
/// ``Evaluator`` runs these over ``Value``s. Every text is a ``Text``, which knows for each of its bytes whether the
/// template, the user, the model or a tool wrote it.
///
/// Settings: `trim_blocks`, `lstrip_blocks`, no `keep_trailing_newline`, no autoescape; the extensions `loopcontrols`
/// and `generation`; the immutable sandbox. Templates come with models from anywhere, so they are hostile input: see
/// ``Limits``.
package enum Jinja {
    /// A place in a template.
    struct Place: Hashable, Sendable {
        /// From 1.
        var line: Int
        /// In characters from 1.
        var column: Int
    }

    /// What white space round tags means.
    enum Spacing: Hashable, Sendable {
        /// `trim_blocks`, `lstrip_blocks`, no `keep_trailing_newline`: chat templates.
        case chat
        /// All of it is text: templates of task files.
        case kept
    }

    /// What a template may take before it is stopped with a sentence.
    package struct Limits: Sendable {
        /// Bytes of a template's source.
        package var sourceBytes = 1 << 20
        /// Levels of nested statements or brackets in the source.
        package var nesting = 80
        /// Levels of nested operations in one expression: `a + b + c` has two.
        package var expressionDepth = 500 / Self.frames
        /// Levels of evaluation, including macros that call macros.
        package var evaluationDepth = 600 / Self.frames
        /// Levels of lists and dictionaries within each other.
        package var valueDepth = 200 / Self.frames
        /// Bytes of the rendered text, and of any text on the way.
        package var textBytes = 16 << 20
        /// Work: 16 for each operation, 1 for each byte read or made, 32 for each element made. It bounds both time and
        /// memory, since what a template holds it has made.
        package var work = 256 << 20

        package init() {}

        // Frames of unoptimized code are so much larger that the full depth would overflow the stack.
        #if DEBUG
            private static let frames = 5
        #else
            private static let frames = 1
        #endif
    }
}
