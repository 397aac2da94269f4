/// What the operations on matrices have in common.
enum MatrixProductOperation {
    static let dimensions: [KernelOperation.Dimension] = [
        .init("m", "rows of A and C", in: 1...(1 << 20)),
        .init("n", "columns of B and C", in: 1...(1 << 20)),
        .init("k", "columns of A, rows of B", in: 1...(1 << 20)),
    ]

    static func shape(_ m: Int, _ n: Int, _ k: Int) -> KernelShape { KernelShape(["m": m, "n": n, "k": k]) }

    static func cost(bytesOfElement: Int) -> @Sendable (KernelShape) -> KernelCost {
        { shape in
            let (m, n, k) = (Double(shape["m"]), Double(shape["n"]), Double(shape["k"]))
            return KernelCost(flops: 2 * m * n * k, bytes: Double(bytesOfElement) * (m * k + k * n + m * n))
        }
    }

    /// The files of an upper rung: its own first, then the loops, the tile and the packing that it is made of.
    static func sources(_ file: String) -> [String] {
        [file, "product.h", "tile.h", "panels.h", "single_row.h"].map { "CKernels/matrix_product/\($0)" }
    }

    static let sourceOfLibrary = ["Kernels/Libraries/OpenBLAS.swift"]

    /// A rung of `MatrixProduct`, by path.
    static func variant<Element: MatrixKernelElement>(
        _ name: String, _ path: MatrixProductPath, of element: Element.Type, isParallel: Bool = false, idea: String,
        sources: [String]
    ) -> KernelVariant {
        let needs: ProcessorFeatures = path == .avx512 ? .avx512 : path == .avx2 ? .avx2 : []
        return KernelVariant(
            name, idea: idea, sources: sources, needs: needs, isParallel: isParallel,
            missing: { path == .openBLAS ? OpenBLAS.missing : nil }
        ) { (problem: MatrixProductProblem<Element>, pool) in
            // A product that fails leaves the output poisoned, so that the rung is refused.
            {
                try? MatrixProduct.product(
                    problem.viewA, problem.viewB, into: problem.viewC, accumulate: false, path: path, pool: pool)
            }
        }
    }
}
