/// A writer of JSON text that keeps members in the order in which they are written.
///
/// ```swift
/// var json = JSONWriter(style: .pretty)
/// json.object {
///     $0.member("name", "orrery")
///     $0.member("wheels") { $0.array { $0.integer(8) } }
/// }
/// print(json.text)
/// ```
/// The writer adds commas, colons, and line breaks. The caller must write keys only in objects, one before each value.
public struct JSONWriter: Sendable {
    /// Layouts of the text.
    public enum Style: Sendable {
        /// No white space.
        case compact
        /// One member or element per line, indented by two spaces per level.
        case pretty
    }

    /// Text written so far, as UTF-8.
    public private(set) var bytes: [UInt8] = []
    /// Layout of the text.
    public let style: Style
    private var depth = 0
    /// Whether nothing has been written at this level; if so, the next value needs no comma.
    private var atStart = true
    /// Whether a key has just been written; if so, its value follows on the same line.
    private(set) var afterKey = false

    /// Creates an empty writer.
    public init(style: Style = .compact) { self.style = style }

    /// Text written so far.
    public var text: String { String(decoding: bytes, as: UTF8.self) }

    /// Removes the text but keeps its memory.
    public mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        depth = 0
        atStart = true
        afterKey = false
    }

    /// Ends the line, so that the next value is a separate record.
    public mutating func endLine() {
        bytes.append(UInt8(ascii: "\n"))
        atStart = true
    }

    /// Writes an object whose members `body` writes.
    public mutating func object<E: Error>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
        beginObject()
        try body(&self)
        endObject()
    }

    /// Writes an array whose elements `body` writes.
    public mutating func array<E: Error>(_ body: (inout JSONWriter) throws(E) -> Void) throws(E) {
        beginArray()
        try body(&self)
        endArray()
    }

    /// Opens an object.
    public mutating func beginObject() { begin(UInt8(ascii: "{")) }
    /// Closes the innermost open object.
    public mutating func endObject() { end(UInt8(ascii: "}")) }
    /// Opens an array.
    public mutating func beginArray() { begin(UInt8(ascii: "[")) }
    /// Closes the innermost open array.
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

    /// Writes the separator before the next value or key.
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

    /// Writes the text of a value.
    mutating func value(_ text: some Sequence<UInt8>) {
        separate()
        bytes.append(contentsOf: text)
    }

    /// Writes `text` as a quoted value or key.
    mutating func quoted(_ text: some StringProtocol) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        let done: Void? = text.utf8.withContiguousStorageIfAvailable { bytes.appendEscaped($0) }
        if done == nil { Array(text.utf8).withUnsafeBufferPointer { bytes.appendEscaped($0) } }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes the colon after a key.
    mutating func colon() {
        bytes.append(UInt8(ascii: ":"))
        if style == .pretty { bytes.append(UInt8(ascii: " ")) }
        afterKey = true
    }
}
