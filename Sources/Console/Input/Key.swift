/// A key: a character or a named key, with modifiers.
public struct Key: Hashable, Sendable {
    /// Keys without modifiers.
    public enum Code: Hashable, Sendable {
        /// A key that types a character.
        case character(Character)
        /// Keys for editing.
        case enter, escape, tab, backspace, delete, insert
        /// Keys for navigation.
        case up, down, left, right, home, end, pageUp, pageDown
        /// A function key, starting at 1.
        case function(Int)
    }

    /// A set of modifier keys.
    public struct Modifiers: OptionSet, Hashable, Sendable {
        /// Bits of the set.
        public let rawValue: UInt8
        /// Creates a set from its bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }
        /// Control.
        public static let control = Modifiers(rawValue: 1)
        /// Alt, also called Meta or Option.
        public static let alt = Modifiers(rawValue: 2)
        /// Shift.
        public static let shift = Modifiers(rawValue: 4)
    }

    /// Key without modifiers.
    public var code: Code
    /// Modifier keys held.
    public var modifiers: Modifiers

    /// Creates a key.
    public init(_ code: Code, _ modifiers: Modifiers = []) {
        self.code = code
        self.modifiers = modifiers
    }

    /// Returns the key that types a character.
    public static func character(_ character: Character) -> Key { Key(.character(character)) }
    /// Returns the key of a character with Control.
    public static func control(_ character: Character) -> Key { Key(.character(character), .control) }
}
