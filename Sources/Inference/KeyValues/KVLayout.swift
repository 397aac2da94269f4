internal import Kernels
public import Models

/// The layout of a page of keys and values: a run of positions, for every layer.
///
/// A page covers all layers, not one: a branch counts references to a handful of pages, the page map on
/// a screen is the sequence itself, and a copy of a page is one copy of memory. The price is that layers with a window
/// keep what they no longer see.
public struct KVLayout: Hashable, Sendable {
    public let layers: Int
    public let kvHeads: Int
    /// Numbers of one head's key, and of its value.
    public let keyWidth: Int
    public let valueWidth: Int
    /// Positions of a page.
    public let pageSize: Int

    /// The vectors of the attention kernel, and so little memory that a short answer does not pay for a long one.
    public static let defaultPageSize = 32

    /// - Parameter pageSize: Positions per page, a multiple of 32.
    /// - Throws: `ModelError` where a size is absurd.
    public init(
        layers: Int, kvHeads: Int, keyWidth: Int, valueWidth: Int, pageSize: Int = defaultPageSize
    ) throws(ModelError) {
        let sizes = [layers, kvHeads, keyWidth, valueWidth, pageSize]
        guard sizes.allSatisfy({ (1...1 << 20).contains($0) }), pageSize % PagedKeyValues.pageUnit == 0 else {
            throw ModelError(
                "the key-value cache", problem: "invalid page size \(sizes.map(String.init).joined(separator: " x "))",
                remedy: "Use sizes from 1 to 1,048,576, and a page size divisible by \(PagedKeyValues.pageUnit).")
        }
        self.layers = layers
        self.kvHeads = kvHeads
        self.keyWidth = keyWidth
        self.valueWidth = valueWidth
        self.pageSize = pageSize
        var floats = layers
        for factor in [kvHeads, keyWidth + valueWidth, pageSize] {
            let (product, overflow) = floats.multipliedReportingOverflow(by: factor)
            guard !overflow, product < 1 << 40 else {
                throw ModelError("the key-value cache", problem: "the size of a page exceeds the address space")
            }
            floats = product
        }
    }

    /// Float32 numbers of a page: for each layer keys, then values.
    public var floatsPerPage: Int { layers * floatsPerLayer }
    public var bytesPerPage: Int { 4 * floatsPerPage }
    /// Bytes per token.
    public var bytesPerPosition: Int { bytesPerPage / pageSize }

    var keyFloatsPerLayer: Int { kvHeads * keyWidth * pageSize }
    var floatsPerLayer: Int { kvHeads * (keyWidth + valueWidth) * pageSize }

    /// Returns the number of pages for a number of positions.
    public func pages(positions: Int) -> Int { (positions + pageSize - 1) / pageSize }
}
