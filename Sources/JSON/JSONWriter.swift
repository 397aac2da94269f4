/// Builds JSON text: members appear in the order in which they are written.
/// ```swift
/// var json = JSONWriter(style: .pretty)
/// json.object {
///     $0.member("name", "orrery")
///     $0.member("wheels") { $0.array { $0.integer(8) } }
/// }
/// print(json.text)
/// ```
/// It puts the commas, colons and line breaks. That keys are written in objects only, one before each value, is the
/// caller's part.
public struct JSONWriter: Sendable {
    /// How the text is laid out.
    public enum Style: Sendable {
        /// No white space at all.
        case compact
        /// One member or element a line, indented by two spaces a level.
        case pretty
    }

    /// The text so far, as UTF-8.
    public private(set) var bytes: [UInt8] = []
    /// How the text is laid out.
    public let style: Style
    private var depth = 0
    /// Nothing has been written at this level, so that no comma is due.
    private var atStart = true
    /// A key has been written, so that its value goes on the same line.
    private(set) var afterKey = false

    /// A writer with nothing written.
    public init(style: Style = .compact) { self.style = style }

    /// The text so far.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Forgets the text and keeps its memory.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        depth = 0
        atStart = true
        afterKey = false
    }

    /// Ends the line, so that the next value is a record of its own.
    public mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        atStart = true
    }

    /// Writes an object whose members are written by `body`.
    public mutating func object<E: Error>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
        beginObject()
        try body(&self)
        endObject()
    }

    /// Writes an array whose elements are written by `body`.
    public mutating func array<E: Error>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
        beginArray()
        try body(&self)
        endArray()
    }

    /// Opens an object.
    public mutating func beginObject() { begin(UInt8(ascii: "{")) }
    /// Closes the object that was opened last.
    public mutating func endObject() { end(UInt8(ascii: "}")) }
    /// Opens an array.
    public mutating func beginArray() { begin(UInt8(ascii: "[")) }
    /// Closes the array that was opened last.
    public mutating func endArray() { end(UInt8(ascii: "]")) }

    private mutating func begin(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        depth += 1
        atStart = true
    }

    private mutating func end(_ bracket: UInt8) {
        depth = max(0, depth - 1)
        if !atStart { breakLine() }
        bytes.append(bracket)
        atStart = false
        afterKey = false
    }

    /// Writes what must stand between the last thing and the next value or key.
    private mutating func separate() {
        if afterKey {
            afterKey = false
            return
        }
        if !atStart { bytes.append(UInt8(ascii: ",")) }
        if depth > 0 { breakLine() }
        atStart = false
    }

    private mutating func breakLine() {
        guard style == .pretty else { return }
        bytes.append(UInt8(ascii: "\n"))
        bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: 2 * depth))
    }

    /// Writes text that is one value already.
    mutating func value(_ text: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: text)
    }

    /// Writes a quoted value or key of `text`.
    mutating func quoted(_ text: some StringProtocol) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        let done: Void? = text.utf8.withContiguousStorageIfAvailable { bytes.appendEscaped($0) }
        if done == nil { Array(text.utf8).withUnsafeBufferPointer { bytes.appendEscaped($0) } }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Ends a key that has just been written.
    mutating func colon() {
        bytes.append(UInt8(ascii: ":"))
        if style == .pretty { bytes.append(UInt8(ascii: " ")) }
        afterKey = true
    }
}
