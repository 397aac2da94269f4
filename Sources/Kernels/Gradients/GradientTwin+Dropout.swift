extension GradientTwin {
    /// y = x / (1 - rate) where the mask keeps it, else 0.
    ///
    /// - Parameter block: the four words of the mask's block of this number.
    package static func dropout<T: BinaryFloatingPoint>(
        _ x: UnsafePointer<T>, threshold: UInt32, scale: T, into y: UnsafeMutablePointer<T>, count: Int,
        block: (UInt32) -> SIMD4<UInt32>
    ) {
        for i in 0..<count {
            let word = block(UInt32(truncatingIfNeeded: i / 64 * 16 + i % 16))[i / 16 % 4]
            y[i] = word >= threshold ? x[i] * scale : 0
        }
    }
}
