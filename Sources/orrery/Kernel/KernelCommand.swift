import ArgumentParser
import CommandSupport
import Console
import Formatting
import JSON
import KernelLab
import Kernels

/// The `orrery kernel` command: machine limits and kernel measurements.
struct KernelCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "kernel", abstract: "Measure kernels against the machine's limits, and analyze GPU profiles.",
        subcommands: [
            List.self, Source.self, Ceilings.self, Run.self, History.self, Import.self, Profiles.self, Profile.self,
            Compare.self, Delete.self, Devices.self, Estimate.self, Child.self,
        ])
}

extension KernelCommand {
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the kernels with their sizes and variants.")

        @Argument(help: "Kernel whose variants are listed (default: list kernels).", completion: .custom(kernelNames))
        var name: String?

        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let operations = try name.map { [try KernelCatalog.operation($0)] } ?? KernelCatalog.operations
                if output.json {
                    var json = JSONWriter(style: .pretty)
                    json.object { $0.member("kernels", operations.map(OperationDescription.init)) }
                    return Output.result(json.text)
                }
                guard name == nil else { return Output.result(Self.ladder(operations[0])) }
                var table = TextTable(["kernel", "sizes", "default", "variants", "computes"], rightAligned: [3])
                for operation in operations {
                    table.add([
                        operation.name, operation.dimensions.map(\.name).joined(separator: " "),
                        operation.presets[0].description, String(operation.variants.count), operation.title,
                    ])
                }
                Output.result(table.text)
                Output.note("Variants: orrery kernel list NAME. Measure: orrery kernel run NAME")
            }
        }

        private static func ladder(_ operation: KernelOperation) -> String {
            let cost = operation.cost(operation.presets[0])
            var lines = [
                "\(operation.name)  \(operation.title)", "cost  \(operation.costFormula)",
                "at \(operation.presets[0])  \(Format.compact(Int(cost.flops))) FLOP, "
                    + "\(Format.bytes(Int(cost.bytes))), \(Format.compact(cost.intensity)) FLOP/byte", "",
            ]
            lines += operation.dimensions.map { "\($0.name)  \($0.meaning)" }
            var table = TextTable(["variant", "available", "idea"])
            for variant in operation.variants {
                table.add([variant.name, variant.unavailable.map { "no: \($0)" } ?? "yes", variant.idea])
            }
            return (lines + ["", table.text]).joined(separator: "\n")
        }
    }

    struct Source: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "source", abstract: "Print the source code of a variant.")

        @Argument(help: "Kernel name.", completion: .custom(kernelNames))
        var name: String

        @Argument(help: "Variant name.")
        var variant: String

        func run() throws {
            try answering {
                Output.raw(try KernelCatalog.operation(name).variant(variant).sourceText)
            }
        }
    }

    /// Completes kernel names in the shell.
    @Sendable static func kernelNames(_ words: [String], _ index: Int, _ prefix: String) -> [String] {
        KernelCatalog.operations.map(\.name)
    }
}

/// An operation as JSON.
private struct OperationDescription: JSONRepresentable {
    let operation: KernelOperation

    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("name", operation.name)
            $0.member("title", operation.title)
            $0.member("arithmetic", operation.arithmetic.rawValue)
            $0.member("cost", operation.costFormula)
            $0.member("sizes", operation.dimensions.map(DimensionDescription.init))
            $0.member("presets", operation.presets.map(\.description))
            $0.member("variants", operation.variants.map(VariantDescription.init))
        }
    }
}

private struct DimensionDescription: JSONRepresentable {
    let dimension: KernelOperation.Dimension
    init(_ dimension: KernelOperation.Dimension) { self.dimension = dimension }

    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("name", dimension.name)
            $0.member("meaning", dimension.meaning)
            $0.member("from", dimension.range.lowerBound)
            $0.member("to", dimension.range.upperBound)
        }
    }
}

private struct VariantDescription: JSONRepresentable {
    let variant: KernelVariant
    init(_ variant: KernelVariant) { self.variant = variant }

    func write(to json: inout JSONWriter) {
        json.object {
            $0.member("name", variant.name)
            $0.member("idea", variant.idea)
            $0.member("sources", variant.sources)
            $0.member("threads", variant.isParallel)
            $0.member("unavailable", ifPresent: variant.unavailable)
        }
    }
}
