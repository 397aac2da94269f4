internal import Glibc

/// A string to search for in UTF-8 text; case-sensitive if it contains an uppercase letter.
struct TextNeedle: Sendable {
    private let bytes: [UInt8]
    private let method: Method
    /// Case-folded scalars, for the method `foldedScalars`.
    private let scalars: [UInt32]

    private enum Method: Sendable {
        /// Compare bytes.
        case exact
        /// Compare ASCII bytes, ignoring case.
        case folded
        /// Compare scalars, ignoring case where the lowercase form is a single scalar.
        case foldedScalars
    }

    init(_ query: String) {
        let hasUpper = query.unicodeScalars.contains { $0.properties.isUppercase }
        let hasLower = query.unicodeScalars.contains { Self.folds($0) }
        bytes = Array(query.utf8)
        scalars = query.unicodeScalars.map { Self.fold($0.value) }
        if hasUpper || !hasLower {
            method = .exact
        } else {
            method = query.utf8.allSatisfy { $0 < 0x80 } ? .folded : .foldedScalars
        }
    }

    /// Returns the first occurrence that starts in `start..<limit`; it may end after `limit`.
    func first(in text: UnsafeBufferPointer<UInt8>, from start: Int, startingBefore limit: Int) -> Range<Int>? {
        guard start < limit, !bytes.isEmpty else { return nil }
        return switch method {
        case .exact: exact(text, start, limit)
        case .folded: folded(text, start, limit)
        case .foldedScalars: foldedScalars(text, start, limit)
        }
    }

    private func exact(_ text: UnsafeBufferPointer<UInt8>, _ start: Int, _ limit: Int) -> Range<Int>? {
        guard let base = text.baseAddress else { return nil }
        let reach = min(limit, text.count - bytes.count + 1)
        var place = start
        while place < reach, let found = memchr(base + place, Int32(bytes[0]), reach - place) {
            place = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            if memcmp(found, bytes, bytes.count) == 0 { return place..<place + bytes.count }
            place += 1
        }
        return nil
    }

    private func folded(_ text: UnsafeBufferPointer<UInt8>, _ start: Int, _ limit: Int) -> Range<Int>? {
        let last = min(limit - 1, text.count - bytes.count)
        return bytes.withUnsafeBufferPointer { needle in
            let head = needle[0]
            let count = needle.count
            var place = start
            while place <= last {
                if Self.lower(text[place]) == head {
                    var length = 1
                    while length < count, Self.lower(text[place + length]) == needle[length] { length += 1 }
                    if length == count { return place..<place + count }
                }
                place += 1
            }
            return nil
        }
    }

    private func foldedScalars(_ text: UnsafeBufferPointer<UInt8>, _ start: Int, _ limit: Int) -> Range<Int>? {
        var place = start
        while place < limit, text[place] & 0xC0 == 0x80 { place += 1 }
        while place < limit {
            let (value, length) = UTF8Reading.scalar(in: text, at: place)
            if Self.fold(value) == scalars[0], let end = matchEnd(text, from: place + length) { return place..<end }
            place += length
        }
        return nil
    }

    private func matchEnd(_ text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int? {
        var place = start
        for scalar in scalars.dropFirst() {
            guard place < text.count else { return nil }
            let (value, length) = UTF8Reading.scalar(in: text, at: place)
            guard Self.fold(value) == scalar else { return nil }
            place += length
        }
        return place
    }

    @inline(__always)
    private static func lower(_ byte: UInt8) -> UInt8 { byte &- 0x41 < 26 ? byte | 0x20 : byte }

    private static func folds(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isLowercase || scalar.properties.isUppercase
    }

    /// Returns the lowercase form if it is one scalar, otherwise the scalar itself.
    private static func fold(_ value: UInt32) -> UInt32 {
        if value < 0x80 { return UInt32(lower(UInt8(value))) }
        guard let scalar = Unicode.Scalar(value), scalar.properties.changesWhenLowercased else { return value }
        let mapping = scalar.properties.lowercaseMapping.unicodeScalars
        return mapping.count == 1 ? mapping[mapping.startIndex].value : value
    }
}
