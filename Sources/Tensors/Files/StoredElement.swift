/// What one element is in a file, which holds more kinds than tensors do.
///
/// Wider integers and unsigned ones are read as int32 where every value fits.
package enum StoredElement: String, CaseIterable, Hashable, Sendable {
    case float64, float32, float16, bfloat16
    case int64, int32, int16, int8
    case uint64, uint32, uint16, uint8
    case bool

    /// Bytes of one element.
    package var width: Int {
        switch self {
        case .float64, .int64, .uint64: 8
        case .float32, .int32, .uint32: 4
        case .float16, .bfloat16, .int16, .uint16: 2
        case .int8, .uint8, .bool: 1
        }
    }
}

/// Where one tensor lies and how: what each format's header comes down to.
package struct StoredTensor: Hashable, Sendable {
    package var name: String
    /// The element's kind in the file's own spelling: `<f4`, `BF16`.
    package var spelling: String
    /// nil for a kind that is listed but cannot be read.
    package var element: StoredElement?
    package var isBigEndian = false
    /// Whether the first axis varies fastest.
    package var isColumnMajor = false
    package var shape: [Int]
    /// The first byte of the data, from the start of the file (of the member, in a zip).
    package var offset: Int
    /// Bytes of the data.
    package var byteCount: Int

    /// The number of elements; `nil` if it overflows.
    package static func elements(_ shape: [Int]) -> Int? {
        // A zero anywhere makes the tensor empty, however large its other sizes are.
        if shape.contains(0) { return 0 }
        var product = 1
        for size in shape {
            let (next, overflow) = product.multipliedReportingOverflow(by: size)
            if overflow || size < 0 { return nil }
            product = next
        }
        return product
    }
}
