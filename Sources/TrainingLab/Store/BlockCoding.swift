internal import Bytes
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
        bytes.appendFixed(UInt32(count))
        for value in isConstant ? [values[0]] : values {
            if fits { bytes.appendFixed(Float(value).bitPattern) } else { bytes.appendFixed(value.bitPattern) }
        }
        bytes.appendSigned(points.steps[0])
        if let stepDistance {
            bytes.appendSigned(stepDistance)
        } else {
            for index in 1..<count { bytes.appendSigned(points.steps[index] &- points.steps[index - 1]) }
        }
        bytes.appendSigned(points.times[0])
        if let timeDistance { return bytes.appendSigned(timeDistance) }
        var before: Int64 = 0
        for index in 1..<count {
            let distance = points.times[index] &- points.times[index - 1]
            bytes.appendSigned(distance &- before)
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
        var reader = ByteReader(UnsafeRawBufferPointer(rebasing: bytes[(header + stored * width)...]))
        do throws(ByteDamage) {
            try decodeSteps(&reader, count: count, isEven: flags & evenSteps != 0, into: &points.steps)
            guard wantsTimes else { return points.times.append(contentsOf: repeatElement(0, count: count)) }
            try decodeTimes(&reader, count: count, isEven: flags & evenTimes != 0, into: &points.times)
        } catch {
            throw Self.damage
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
        _ reader: inout ByteReader, count: Int, isEven: Bool, into steps: inout [Int64]
    ) throws(ByteDamage) {
        var step = try reader.readSigned()
        steps.reserveCapacity(steps.count + count)
        steps.append(step)
        guard count > 1 || isEven else { return }
        if isEven {
            let distance = try reader.readSigned()
            for _ in 1..<max(1, count) {
                step &+= distance
                steps.append(step)
            }
        } else {
            for _ in 1..<count {
                step &+= try reader.readSigned()
                steps.append(step)
            }
        }
    }

    private static func decodeTimes(
        _ reader: inout ByteReader, count: Int, isEven: Bool, into times: inout [Int64]
    ) throws(ByteDamage) {
        var time = try reader.readSigned()
        times.reserveCapacity(times.count + count)
        times.append(time)
        var distance = isEven ? try reader.readSigned() : 0
        for _ in 1..<max(1, count) {
            if !isEven { distance &+= try reader.readSigned() }
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
}
