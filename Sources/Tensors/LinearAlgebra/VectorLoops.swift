/// Loops over contiguous doubles, with sums whose order depends on their length alone.
enum VectorLoops {
    /// Σ x y, in eight sums side by side.
    @inline(__always)
    static func dot(_ x: UnsafePointer<Double>, _ y: UnsafePointer<Double>, _ count: Int) -> Double {
        var sums = (SIMD4<Double>.zero, SIMD4<Double>.zero)
        let (a, b) = (UnsafeRawPointer(x), UnsafeRawPointer(y))
        var index = 0
        while index + 8 <= count {
            let byte = 8 * index
            sums.0 +=
                a.loadUnaligned(fromByteOffset: byte, as: SIMD4<Double>.self)
                * b.loadUnaligned(fromByteOffset: byte, as: SIMD4<Double>.self)
            sums.1 +=
                a.loadUnaligned(fromByteOffset: byte + 32, as: SIMD4<Double>.self)
                * b.loadUnaligned(fromByteOffset: byte + 32, as: SIMD4<Double>.self)
            index += 8
        }
        let halves = sums.0 + sums.1
        var sum = (halves[0] + halves[2]) + (halves[1] + halves[3])
        while index < count {
            sum += x[index] * y[index]
            index += 1
        }
        return sum
    }

    /// y += factor x
    @inline(__always)
    static func add(
        _ factor: Double, _ x: UnsafePointer<Double>, to y: UnsafeMutablePointer<Double>, _ count: Int
    ) {
        for index in 0..<count { y[index] += factor * x[index] }
    }

    @inline(__always)
    static func scale(_ x: UnsafeMutablePointer<Double>, by factor: Double, _ count: Int) {
        for index in 0..<count { x[index] *= factor }
    }

    @inline(__always)
    static func exchange(_ x: UnsafeMutablePointer<Double>, _ y: UnsafeMutablePointer<Double>, _ count: Int) {
        for index in 0..<count { (x[index], y[index]) = (y[index], x[index]) }
    }

    /// √Σ x², without overflow: the elements are scaled by a power of two first where they are extreme.
    static func norm(_ x: UnsafePointer<Double>, _ count: Int) -> Double {
        var largest = 0.0
        for index in 0..<count { largest = max(largest, abs(x[index])) }
        guard largest > 0 else { return 0 }
        if largest > 0x1p-500, largest < 0x1p500 { return dot(x, x, count).squareRoot() }
        let scale = largest.binade
        var sum = 0.0
        for index in 0..<count { sum += (x[index] / scale) * (x[index] / scale) }
        return sum.squareRoot() * scale
    }
}
