/// The fields of one record, in one buffer that is used again.
package struct CSVRecord {
    private var bytes: [UInt8] = []
    private var ends: [Int] = []
    /// The line on which the record begins, from 1.
    package private(set) var line = 1

    package init() {}

    /// The number of fields.
    package var count: Int { ends.count }
    /// Bytes of all fields.
    var length: Int { bytes.count }
    var openFieldLength: Int { bytes.count - (ends.last ?? 0) }

    mutating func removeAll(line: Int) {
        bytes.removeAll(keepingCapacity: true)
        ends.removeAll(keepingCapacity: true)
        self.line = line
    }

    mutating func append(_ piece: UnsafeBufferPointer<UInt8>) { bytes.append(contentsOf: piece) }

    mutating func endField() { ends.append(bytes.count) }

    /// Whether this is an empty line.
    var isBlank: Bool { ends.count <= 1 && bytes.isEmpty }

    /// The text of a field; empty beyond the last. Damaged UTF-8 is repaired.
    package subscript(field: Int) -> String { String(decoding: utf8(field), as: UTF8.self) }

    /// The text of a field; `nil` if the column is missing or the field is empty.
    func text(_ field: Int?) -> String? {
        guard let field, !utf8(field).isEmpty else { return nil }
        return self[field]
    }

    /// The bytes of a field.
    func utf8(_ field: Int) -> ArraySlice<UInt8> {
        guard ends.indices.contains(field) else { return [] }
        return bytes[(field == 0 ? 0 : ends[field - 1])..<ends[field]]
    }

    /// Whether a field is exactly this text.
    func equals(_ field: Int, _ text: StaticString) -> Bool {
        utf8(field).elementsEqual(UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// The number in a field, without separators of thousands; nil for anything else, an infinite number included.
    func number(_ field: Int?) -> Double? {
        guard let field else { return nil }
        return bytes.withUnsafeBufferPointer { bytes in
            guard ends.indices.contains(field) else { return nil }
            let range = (field == 0 ? 0 : ends[field - 1])..<ends[field]
            return DecimalNumber.parse(UnsafeBufferPointer(rebasing: bytes[range]))
        }
    }

    func integer(_ field: Int?) -> Int? { number(field).flatMap { Int(exactly: $0) } }
}
