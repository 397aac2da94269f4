/// What a terminal's type tells beyond its terminfo entry.
package struct Family: Hashable, Sendable {
    /// A program with a window: it has a mouse, brackets pastes, and has a title.
    package let isEmulator: Bool
    /// Questions about modes and colors are answered, or passed over without a trace on the screen.
    package let answers: Bool

    /// - Parameters:
    ///   - type: TERM.
    ///   - program: TERM_PROGRAM. Apple's Terminal prints the end of a question about a mode.
    package init(type: String, program: String? = Environment["TERM_PROGRAM"]) {
        let hardware = ["linux", "vt", "ansi", "cons", "sun", "wy", "dumb", "cygwin"]
        isEmulator = !hardware.contains { type.hasPrefix($0) }
        answers = isEmulator && program != "Apple_Terminal"
    }
}
