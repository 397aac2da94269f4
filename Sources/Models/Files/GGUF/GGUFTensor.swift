/// What the header of a GGUF file says about one tensor.
public struct GGUFTensor: Hashable, Sendable {
    public var name: String
    public var type: GGMLType
    /// Outermost first, as everywhere here; the file lists sizes the other way round.
    public var shape: [Int]
    /// The first byte of the data, from the start of the file.
    public var offset: Int
    public var byteCount: Int

    public var elementCount: Int { shape.reduce(1, *) }
    /// Elements of one row: the axis that is contiguous, along which blocks run.
    public var columns: Int { shape.last ?? 1 }
}
