/// Reading UTF-8 from memory without believing that it is UTF-8: nothing beyond the end is read, and a byte that
/// begins no character reads as U+FFFD of one byte.
package typealias UTF8Pointer = UnsafePointer<UInt8>

/// The scalar at `index` and its length in bytes.
@inline(__always)
package func scalar(_ text: UTF8Pointer, at index: Int, end: Int) -> (value: UInt32, length: Int) {
    let first = UInt32(text[index])
    if first < 0x80 { return (first, 1) }
    return multibyteScalar(text, at: index, end: end)
}

@inline(__always)
package func multibyteScalar(_ text: UTF8Pointer, at index: Int, end: Int) -> (value: UInt32, length: Int) {
    let first = UInt32(text[index])
    let left = end &- index
    if first < 0xE0 {
        guard first >= 0xC2, left >= 2 else { return (0xFFFD, 1) }
        let second = UInt32(text[index &+ 1])
        guard second & 0xC0 == 0x80 else { return (0xFFFD, 1) }
        return ((first & 0x1F) << 6 | second & 0x3F, 2)
    }
    if first < 0xF0 {
        guard left >= 3 else { return (0xFFFD, 1) }
        let second = UInt32(text[index &+ 1])
        let third = UInt32(text[index &+ 2])
        let value = (first & 0x0F) << 12 | (second & 0x3F) << 6 | third & 0x3F
        guard second & 0xC0 == 0x80, third & 0xC0 == 0x80, value >= 0x800, value & 0xF800 != 0xD800 else {
            return (0xFFFD, 1)
        }
        return (value, 3)
    }
    guard first < 0xF5, left >= 4 else { return (0xFFFD, 1) }
    let second = UInt32(text[index &+ 1])
    let third = UInt32(text[index &+ 2])
    let fourth = UInt32(text[index &+ 3])
    let value = (first & 0x07) << 18 | (second & 0x3F) << 12 | (third & 0x3F) << 6 | fourth & 0x3F
    guard second & 0xC0 == 0x80, third & 0xC0 == 0x80, fourth & 0xC0 == 0x80, value >= 0x10000, value < 0x110000
    else { return (0xFFFD, 1) }
    return (value, 4)
}

/// The length of the character before `index`, which is above `start`.
@inline(__always)
package func lengthOfScalar(before index: Int, in text: UTF8Pointer, start: Int) -> Int {
    var length = 1
    while length < 4, index &- length > start, text[index &- length] & 0xC0 == 0x80 { length &+= 1 }
    return length
}

extension [UInt8] {
    /// Appends a scalar as UTF-8; U+FFFD for an invalid scalar value.
    package mutating func append(scalar value: UInt32) {
        switch value {
        case 0..<0x80:
            append(UInt8(value))
        case 0x80..<0x800:
            append(UInt8(0xC0 | value >> 6))
            append(UInt8(0x80 | value & 0x3F))
        case 0x800..<0xD800, 0xE000..<0x10000:
            append(UInt8(0xE0 | value >> 12))
            append(UInt8(0x80 | value >> 6 & 0x3F))
            append(UInt8(0x80 | value & 0x3F))
        case 0x10000..<0x110000:
            append(UInt8(0xF0 | value >> 18))
            append(UInt8(0x80 | value >> 12 & 0x3F))
            append(UInt8(0x80 | value >> 6 & 0x3F))
            append(UInt8(0x80 | value & 0x3F))
        default:
            append(scalar: 0xFFFD)
        }
    }
}
