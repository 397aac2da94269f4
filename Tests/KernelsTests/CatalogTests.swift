import Kernels
import Testing

@Suite("The catalog")
struct CatalogTests {
    @Test("holds the text of every source that a variant names", arguments: KernelCatalog.operations.map(\.name))
    func sources(name: String) throws {
        for variant in try KernelCatalog.operation(name).variants {
            #expect(!variant.sources.isEmpty, "\(name)/\(variant.name) names no source")
            for path in variant.sources {
                #expect(!KernelVariant.text(of: path).hasPrefix("(the source of"), "\(name)/\(variant.name): \(path)")
            }
        }
    }

    @Test("has one name for each operation and each variant")
    func names() {
        #expect(Set(KernelCatalog.operations.map(\.name)).count == KernelCatalog.operations.count)
        for operation in KernelCatalog.operations {
            #expect(Set(operation.variants.map(\.name)).count == operation.variants.count, "\(operation.name)")
        }
    }

    @Test("answers an unknown name with those that exist")
    func unknown() {
        #expect(throws: KernelError.unknownOperation("gemm", known: KernelCatalog.operations.map(\.name))) {
            try KernelCatalog.operation("gemm")
        }
    }

    @Test("reads sizes as a number, as one number a dimension, and by name")
    func shapes() throws {
        let gemm = try KernelCatalog.operation("gemm-f32")
        #expect(try gemm.shape("64").description == "m=64 n=64 k=64")
        #expect(try gemm.shape("1x2x3").description == "m=1 n=2 k=3")
        #expect(try gemm.shape("k=8").description == "m=512 n=512 k=8")
    }

    @Test(
        "answers sizes that it cannot take with those that it takes",
        arguments: ["", "0", "-4", "1x2", "q=4", "m=4,n", "99999999999999999999", "m=1e9"])
    func wrongShapes(text: String) throws {
        let gemm = try KernelCatalog.operation("gemm-f32")
        #expect(throws: KernelError.self) { try gemm.shape(text) }
    }
}
