internal import System

/// Writes and reads the points of one series as bytes, without losing a bit.
///
/// Layout, little-endian: version (1 byte), flags (1), zero (2), count (4); values, as Float where that keeps every bit,
/// one alone where all are the same; steps, as the first and their common distance or as distances; times, the first and
/// distances between distances. Whole numbers are zigzag varints. Steady curves take about seven bytes a point.
enum BlockCoding {
    private static let version: UInt8 = 1
    private static let asFloat: UInt8 = 1
    private static let constant: UInt8 = 2
    private static let evenSteps: UInt8 = 4
    private static let evenTimes: UInt8 = 8
    private static let header = 8

    /// Error for bytes that `encode` does not write.
    static let damage = Problem(
        .corrupt, "", "recorded points of a training run are damaged", remedy: "Run orrery workspace check.")

    static func encode(_ points: SeriesPoints, into bytes: inout [UInt8]) {
        let count = points.count
        guard count > 0 else { return }
        let values = points.values
        let bits = values[0].bitPattern
        let isConstant = values.allSatisfy { $0.bitPattern == bits }
        let fits = values.allSatisfy { Double(Float($0)).bitPattern == $0.bitPattern }
        let stepDistance = evenDistance(points.steps)
        let timeDistance = evenDistance(points.times)
        var flags: UInt8 = 0
        if isConstant { flags |= constant }
        if fits { flags |= asFloat }
        if stepDistance != nil { flags |= evenSteps }
        if timeDistance != nil { flags |= evenTimes }
        bytes += [version, flags, 0, 0]
        append(UInt32(count), to: &bytes)
        for value in isConstant ? [values[0]] : values {
            if fits { append(Float(value).bitPattern, to: &bytes) } else { append(value.bitPattern, to: &bytes) }
        }
        varint(points.steps[0], to: &bytes)
        if let stepDistance {
            varint(stepDistance, to: &bytes)
        } else {
            for index in 1..<count { varint(points.steps[index] &- points.steps[index - 1], to: &bytes) }
        }
        varint(points.times[0], to: &bytes)
        if let timeDistance { return varint(timeDistance, to: &bytes) }
        var before: Int64 = 0
        for index in 1..<count {
            let distance = points.times[index] &- points.times[index - 1]
            varint(distance &- before, to: &bytes)
            before = distance
        }
    }

    /// Appends the points to `points`; times only where they are wanted, else zeros.
    static func decode(
        _ bytes: UnsafeRawBufferPointer, times wantsTimes: Bool = true, into points: inout SeriesPoints
    ) throws(Problem) {
        guard bytes.count >= header, bytes[0] == version else { throw Self.damage }
        let flags = bytes[1]
        let count = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
        // The store never writes larger blocks: what says so is damaged, and must not take memory.
        guard count > 0, count <= 1 << 20 else { throw Self.damage }
        let width = flags & asFloat != 0 ? 4 : 8
        let stored = flags & constant != 0 ? 1 : count
        guard bytes.count >= header + stored * width else { throw Self.damage }
        decodeValues(bytes, count: count, flags: flags, into: &points.values)
        var reader = VarintReader(bytes: bytes, position: header + stored * width)
        try decodeSteps(&reader, count: count, isEven: flags & evenSteps != 0, into: &points.steps)
        if wantsTimes {
            try decodeTimes(&reader, count: count, isEven: flags & evenTimes != 0, into: &points.times)
        } else {
            points.times.append(contentsOf: repeatElement(0, count: count))
        }
    }

    private static func decodeValues(
        _ bytes: UnsafeRawBufferPointer, count: Int, flags: UInt8, into values: inout [Double]
    ) {
        func float(_ index: Int) -> Double {
            let bits = bytes.loadUnaligned(fromByteOffset: header + 4 * index, as: UInt32.self)
            return Double(Float(bitPattern: UInt32(littleEndian: bits)))
        }
        func double(_ index: Int) -> Double {
            let bits = bytes.loadUnaligned(fromByteOffset: header + 8 * index, as: UInt64.self)
            return Double(bitPattern: UInt64(littleEndian: bits))
        }
        let isFloat = flags & asFloat != 0
        values.reserveCapacity(values.count + count)
        if flags & constant != 0 {
            values.append(contentsOf: repeatElement(isFloat ? float(0) : double(0), count: count))
        } else if isFloat {
            for index in 0..<count { values.append(float(index)) }
        } else {
            for index in 0..<count { values.append(double(index)) }
        }
    }

    private static func decodeSteps(
        _ reader: inout VarintReader, count: Int, isEven: Bool, into steps: inout [Int64]
    ) throws(Problem) {
        var step = try reader.next()
        steps.reserveCapacity(steps.count + count)
        steps.append(step)
        guard count > 1 || isEven else { return }
        if isEven {
            let distance = try reader.next()
            for _ in 1..<max(1, count) {
                step &+= distance
                steps.append(step)
            }
        } else {
            for _ in 1..<count {
                step &+= try reader.next()
                steps.append(step)
            }
        }
    }

    private static func decodeTimes(
        _ reader: inout VarintReader, count: Int, isEven: Bool, into times: inout [Int64]
    ) throws(Problem) {
        var time = try reader.next()
        times.reserveCapacity(times.count + count)
        times.append(time)
        var distance = isEven ? try reader.next() : 0
        for _ in 1..<max(1, count) {
            if !isEven { distance &+= try reader.next() }
            time &+= distance
            times.append(time)
        }
    }

    private static func evenDistance(_ numbers: [Int64]) -> Int64? {
        guard numbers.count > 1 else { return 0 }
        let distance = numbers[1] &- numbers[0]
        for index in 2..<max(2, numbers.count) where numbers[index] &- numbers[index - 1] != distance { return nil }
        return distance
    }

    static func append<Word: FixedWidthInteger>(_ word: Word, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: word.littleEndian) { bytes.append(contentsOf: $0) }
    }

    private static func varint(_ number: Int64, to bytes: inout [UInt8]) {
        var rest = UInt64(bitPattern: (number << 1) ^ (number >> 63))
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }
}

private struct VarintReader {
    let bytes: UnsafeRawBufferPointer
    var position: Int

    mutating func next() throws(Problem) -> Int64 {
        var result: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.count, shift < 64 {
            let byte = bytes[position]
            position += 1
            result |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return Int64(bitPattern: result >> 1) ^ -Int64(bitPattern: result & 1) }
            shift += 7
        }
        throw BlockCoding.damage
    }
}
