/// Properties of a terminal that its terminfo entry does not list.
package struct TerminalFamily: Hashable, Sendable {
    /// Whether the terminal is a terminal emulator, which has a mouse, bracketed paste, and a title.
    package let isEmulator: Bool
    /// Whether the terminal answers queries about modes and colors, or ignores them without a visible effect.
    package let answers: Bool

    /// Creates the properties of a terminal.
    ///
    /// - Parameters:
    ///   - type: Value of TERM.
    ///   - program: Value of TERM_PROGRAM. Apple's Terminal prints part of a mode query, so it receives no queries.
    package init(type: String, program: String? = Environment["TERM_PROGRAM"]) {
        let hardware = ["linux", "vt", "ansi", "cons", "sun", "wy", "dumb", "cygwin"]
        isEmulator = !hardware.contains { type.hasPrefix($0) }
        answers = isEmulator && program != "Apple_Terminal"
    }
}
