internal import CKernels

/// A tile in C with the loops around it that threads share: pack a stripe of B, then multiply blocks of A with it.
struct DotKernel: @unchecked Sendable {  // a pointer to a constant
    private let kernel: UnsafePointer<orrery_dot_kernel>
    /// Elements of k in one stripe of B.
    let stripeDepth: Int

    /// Columns of B that are packed at once: with a stripe's depth at most 4 MiB.
    private static let stripeColumns = 2048

    /// Nil for the textbook path, and where this kind of processor has no such tile.
    init?(_ path: orrery_dot_path?) {
        guard let path, let kernel = orrery_dot_kernel_of(path) else { return nil }
        self.kernel = kernel
        stripeDepth = orrery_dot_stripe_depth(kernel)
    }

    private var tileRows: Int { Int(kernel.pointee.rows) }
    private var tileColumns: Int { Int(kernel.pointee.columns) }
    private var elementBytes: Int { Int(kernel.pointee.element_bytes) }

    /// Bytes of the packed panels of B[depth, columns], depth at most a stripe's.
    func stripeBytes(depth: Int, columns: Int) -> Int {
        (columns + tileColumns - 1) / tileColumns * orrery_dot_panel_bytes(kernel, depth)
    }

    /// C = A · B, packing both.
    ///
    /// - Returns: false if there is no memory for the panels; C is then untouched.
    func multiply<Element, Sum: AdditiveArithmetic>(
        _ a: UnsafePointer<Element>, aStride: Int, by b: UnsafePointer<Element>, bStride: Int,
        into c: UnsafeMutablePointer<Sum>, cStride: Int, m: Int, n: Int, k: Int, pool: ThreadPool
    ) -> Bool {
        guard m > 0, n > 0 else { return true }
        guard k > 0 else {
            for row in 0..<m { (c + row * cStride).update(repeating: .zero, count: n) }
            return true
        }
        let bytes = stripeBytes(depth: min(k, stripeDepth), columns: min(n, Self.stripeColumns))
        guard let panels = orrery_dot_panel_memory(bytes) else { return false }
        for column in stride(from: 0, to: n, by: Self.stripeColumns) {
            let columns = min(Self.stripeColumns, n - column)
            for first in stride(from: 0, to: k, by: stripeDepth) {
                let depth = min(stripeDepth, k - first)
                pack(b + first * bStride + column, stride: bStride, depth: depth, columns: columns, panels, pool)
                multiply(
                    a + first, aStride: aStride, depth: depth, panels: panels, columns: columns,
                    into: c + column, cStride: cStride, m: m, accumulate: first > 0, pool: pool)
            }
        }
        return true
    }

    /// Packs B[depth, columns] into panels, four panels a chunk.
    func pack<Element>(
        _ b: UnsafePointer<Element>, stride: Int, depth: Int, columns: Int, _ panels: UnsafeMutableRawPointer,
        _ pool: ThreadPool
    ) {
        let width = 4 * tileColumns
        let bytes = 4 * orrery_dot_panel_bytes(kernel, depth)
        pool.run(chunks: (columns + width - 1) / width) { chunk, _ in
            let first = chunk * width
            orrery_dot_pack(kernel, b + first, stride, depth, min(width, columns - first), panels + chunk * bytes)
        }
    }

    /// C[m, columns] = A[m, depth] · panels, or += where `accumulate` is set.
    ///
    /// A chunk is a block of rows, and where those are few also a group of panels: a choice by shape alone.
    func multiply<Element, Sum>(
        _ a: UnsafePointer<Element>, aStride: Int, depth: Int, panels: UnsafeRawPointer, columns: Int,
        into c: UnsafeMutablePointer<Sum>, cStride: Int, m: Int, accumulate: Bool, pool: ThreadPool
    ) {
        let chunksWanted = 8
        let height = rounded(min(max(m / chunksWanted, 48), 192), to: tileRows)
        let blocks = (m + height - 1) / height
        let panelCount = (columns + tileColumns - 1) / tileColumns
        let groups = min(panelCount, (chunksWanted + blocks - 1) / blocks)
        let panelsOfGroup = (panelCount + groups - 1) / groups
        let width = panelsOfGroup * tileColumns
        let groupBytes = panelsOfGroup * orrery_dot_panel_bytes(kernel, depth)
        pool.run(chunks: blocks * groups) { chunk, _ in
            let row = chunk / groups * height
            let group = chunk % groups
            let column = group * width
            guard column < columns else { return }
            orrery_dot_multiply(
                kernel, a + row * aStride, aStride, min(height, m - row), depth, panels + group * groupBytes,
                min(width, columns - column), c + row * cStride + column, cStride, accumulate ? 1 : 0)
        }
    }

    private func rounded(_ count: Int, to step: Int) -> Int { (count + step - 1) / step * step }
}
