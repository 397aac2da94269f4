internal import Kernels

/// Codes of a byte for each of several parts of a vector: the number of the nearest of 256 centers of that part.
///
/// Distances from a query to coded vectors are sums of table entries. Parts have the same width where the dimension can
/// be divided so, else widths that differ by one.
///
/// ```swift
/// let quantizer = try ProductQuantizer(training: points, stride: 128, count: 10_000, dimension: 128, parts: 16)
/// let codes = quantizer.codes(of: points, stride: 128, count: 10)     // [10, 16]
/// ```
///
/// - Source: Jégou, Douze and Schmid, "Product quantization for nearest neighbor search", 2011.
public final class ProductQuantizer: Sendable {
    public let dimension: Int
    /// Bytes of a code.
    public let parts: Int
    /// `[part][256, width of the part]`, one part after the other: 256 · dimension numbers.
    public let centers: [Float]
    private let panels: [CenterPanels]

    /// Centers of a part.
    public static let centersOfPart = 256

    /// Learns the centers.
    ///
    /// - Parameters:
    ///   - points: `[count]` rows of `dimension` numbers, `stride` apart.
    ///   - parts: 1 to `dimension`.
    /// - Throws: `SegmentError` without points or memory.
    public convenience init(
        training points: UnsafePointer<Float>, stride: Int, count: Int, dimension: Int, parts: Int,
        seed: UInt64 = 1234, threads: Int = 1
    ) throws(SegmentError) {
        try Self.check(dimension: dimension, parts: parts)
        var centers: [Float] = []
        centers.reserveCapacity(Self.centersOfPart * dimension)
        for part in 0..<parts {
            let range = Self.range(of: part, parts: parts, dimension: dimension)
            let means = KMeans(clusters: Self.centersOfPart, iterations: 25, seed: seed &+ UInt64(part))
            centers += try means.centers(
                of: points + range.lowerBound, stride: stride, count: count, dimension: range.count, threads: threads)
        }
        try self.init(centers: centers, dimension: dimension, parts: parts)
    }

    /// Creates a quantizer from learned centers, as in ``centers``.
    public init(centers: [Float], dimension: Int, parts: Int) throws(SegmentError) {
        try Self.check(dimension: dimension, parts: parts)
        guard centers.count == Self.centersOfPart * dimension, centers.allSatisfy(\.isFinite) else {
            throw SegmentError("codes", problem: "\(centers.count) numbers do not match the centers of \(parts) parts")
        }
        self.dimension = dimension
        self.parts = parts
        self.centers = centers
        var panels: [CenterPanels] = []
        for part in 0..<parts {
            let range = Self.range(of: part, parts: parts, dimension: dimension)
            let own = Array(centers[range.lowerBound * Self.centersOfPart..<range.upperBound * Self.centersOfPart])
            panels.append(
                try InMemory.panels(own, count: Self.centersOfPart, dimension: range.count, isInnerProduct: false))
        }
        self.panels = panels
    }

    /// Returns the columns of a part.
    public func columns(of part: Int) -> Range<Int> { Self.range(of: part, parts: parts, dimension: dimension) }

    /// Returns the codes of vectors: `[count, parts]`.
    public func codes(of points: UnsafePointer<Float>, stride: Int, count: Int) -> [UInt8] {
        [UInt8](unsafeUninitializedCapacity: count * parts) { codes, initialized in
            if count > 0 { encode(points, stride: stride, count: count, into: codes.baseAddress!) }
            initialized = count * parts
        }
    }

    func encode(_ points: UnsafePointer<Float>, stride: Int, count: Int, into codes: UnsafeMutablePointer<UInt8>) {
        withUnsafeTemporaryAllocation(of: Int32.self, capacity: 64) { nearest in
            for start in Swift.stride(from: 0, to: count, by: 64) {
                let here = min(64, count - start)
                for part in 0..<parts {
                    panels[part].nearest(
                        to: points + start * stride + columns(of: part).lowerBound, stride: stride, count: here,
                        nearest.baseAddress!)
                    for row in 0..<here {
                        codes[(start + row) * parts + part] = UInt8(truncatingIfNeeded: nearest[row])
                    }
                }
            }
        }
    }

    /// The vector that a code stands for.
    func decode(_ code: UnsafePointer<UInt8>, into vector: UnsafeMutablePointer<Float>) {
        centers.withUnsafeBufferPointer { centers in
            for part in 0..<parts {
                let columns = columns(of: part)
                let start = columns.lowerBound * Self.centersOfPart + Int(code[part]) * columns.count
                for column in 0..<columns.count { vector[columns.lowerBound + column] = centers[start + column] }
            }
        }
    }

    /// factor · x·c for every center: `[parts, 256]`.
    func tables(of x: UnsafePointer<Float>, factor: Float, into tables: UnsafeMutablePointer<Float>) {
        for part in 0..<parts {
            panels[part].products(
                of: x + columns(of: part).lowerBound, factor: factor, into: tables + part * Self.centersOfPart)
        }
    }

    private static func range(of part: Int, parts: Int, dimension: Int) -> Range<Int> {
        part * dimension / parts..<(part + 1) * dimension / parts
    }

    static func check(dimension: Int, parts: Int) throws(SegmentError) {
        guard (1...VectorRows.maximumDimension).contains(dimension), (1...dimension).contains(parts) else {
            throw SegmentError(
                "codes", problem: "cannot split \(dimension) dimensions into \(parts) parts",
                remedy: "Use 1 to \(dimension) parts.")
        }
    }
}
