internal import CKernels

extension MatrixProductOperation {
    /// The ladder of C = A B in one type of element: rungs of its own, then those that every type has.
    ///
    /// - Parameter prefix: the letter of the type in the names of the BLAS, and of the files of the kernels.
    static func gemm<Element: MatrixKernelElement>(
        _ name: String, title: String, of element: Element.Type, prefix: String, arithmetic: KernelArithmetic,
        presets: [Int], lowerRungs: [KernelVariant]
    ) -> KernelOperation {
        let bytes = MemoryLayout<Element>.size
        return KernelOperation(
            name, title: title, dimensions: dimensions, presets: presets.map { shape($0, $0, $0) },
            square: { shape($0, $0, $0) }, arithmetic: arithmetic, costFormula: "2mnk FLOP, \(bytes)(mk + kn + mn) B",
            cost: cost(bytesOfElement: bytes),
            problem: { shape, seed throws(KernelError) in try MatrixProductProblem<Element>(shape, seed: seed) },
            variants: lowerRungs + upperRungs(of: element, prefix: prefix))
    }

    private static func upperRungs<Element: MatrixKernelElement>(
        of element: Element.Type, prefix: String
    ) -> [KernelVariant] {
        let bytes = MemoryLayout<Element>.size
        let (of16Bytes, of32Bytes, of64Bytes) = (16 / bytes, 32 / bytes, 64 / bytes)
        return [
            variant(
                "packed", .portable, of: element,
                idea: "B packed into panels, a 6 x \(2 * of16Bytes) tile of C kept in registers "
                    + "through a block of the sum",
                sources: sources("\(prefix)gemm_portable.c")),
            variant(
                "avx2", .avx2, of: element,
                idea: "vectors of \(of32Bytes) and fused multiply-add: a tile of 6 x \(2 * of32Bytes) "
                    + "in 12 of 16 registers",
                sources: sources("\(prefix)gemm_avx2.c")),
            variant(
                "avx512", .avx512, of: element,
                idea: "vectors of \(of64Bytes) and 32 registers: a tile of 6 x \(4 * of64Bytes) "
                    + "needs 10 loads for 24 multiply-adds",
                sources: sources("\(prefix)gemm_avx512.c")),
            variant(
                "avx512-threads", .avx512, of: element, isParallel: true,
                idea: "threads take strips of C, each with its own packed B; they share only what they read",
                sources: sources("\(prefix)gemm_avx512.c") + ["CKernels/thread_pool.c"]),
            variant(
                "openblas", .openBLAS, of: element, isParallel: true,
                idea: "for comparison: assembly kernels hand-tuned over twenty years",
                sources: sourceOfLibrary),
        ]
    }

    /// The first rung of every type.
    static func naive<Element: MatrixKernelElement>(
        of element: Element.Type, _ function: @escaping @Sendable (UnsafePointer<Element.Product>?) -> Void
    ) -> KernelVariant {
        lowerRung(
            "naive", of: element, function, file: "naive.c",
            idea: "three loops: each element of C is a row of A times a column of B")
    }

    /// A rung that is one function in C, in a file of its own.
    static func lowerRung<Element: MatrixKernelElement>(
        _ name: String, of element: Element.Type,
        _ function: @escaping @Sendable (UnsafePointer<Element.Product>?) -> Void, file: String, idea: String
    ) -> KernelVariant {
        KernelVariant(
            name, idea: idea, sources: ["CKernels/matrix_product/\(file)"]
        ) { (problem: MatrixProductProblem<Element>, _) in
            {
                withUnsafePointer(to: Element.product(problem.operands)) { function($0) }
            }
        }
    }
}
