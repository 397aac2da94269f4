import ArgumentParser
import CommandSupport
import Console
import Formatting
import JSON
import KernelLab
import Kernels
import Tables

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
    struct List: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "List the kernels with their sizes and variants.")

        @Argument(help: "Kernel whose variants are listed (default: list kernels).", completion: .custom(kernelNames))
        var name: String?

        @OptionGroup var reading: TableOptions

        func result(in options: TableOptions) throws -> Listing<KernelOperation> {
            let operations = try name.map { [try KernelCatalog.operation($0)] } ?? KernelCatalog.operations
            let hint = "Variants: orrery kernel list NAME. Measure: orrery kernel run NAME"
            var listing = Listing(operations, "kernels", notes: name == nil ? [hint] : [])
            if name != nil { listing.text = Self.ladder(operations[0]) }
            return listing
        }

        private static func ladder(_ operation: KernelOperation) -> String {
            let cost = operation.cost(operation.presets[0])
            var lines = [
                "\(operation.name)  \(operation.title)", "cost  \(operation.costFormula)",
                "at \(operation.presets[0])  \(Format.compact(Int(cost.flops))) FLOP, "
                    + "\(Format.bytes(Int(cost.bytes))), \(Format.compact(cost.intensity)) FLOP/byte", "",
            ]
            lines += operation.dimensions.map { "\($0.name)  \($0.meaning)" }
            return (lines + ["", KernelVariant.table.text(operation.variants)]).joined(separator: "\n")
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

extension KernelOperation: Tabular {
    static func columns(_ table: inout Columns<KernelOperation>) {
        table.text("kernel", json: "name", \.name)
        table.member("title", \.title)
        table.member("arithmetic", \.arithmetic.rawValue)
        table.member("cost", \.costFormula)
        table.text("sizes") { $0.dimensions.map(\.name).joined(separator: " ") }
        table.member("sizes") { Dimension.table.records($0.dimensions) }
        table.text("default") { $0.presets[0].description }
        table.member("presets") { $0.presets.map(\.description) }
        table.text("variants", json: nil, align: .right, \.variants.count)
        table.member("variants") { KernelVariant.table.records($0.variants) }
        table.text("computes", \.title)
    }
}

extension KernelOperation.Dimension: Tabular {
    static func columns(_ table: inout Columns<KernelOperation.Dimension>) {
        table.text("size", json: "name", \.name)
        table.text("meaning", json: "meaning", \.meaning)
        table.text("from", json: "from", \.range.lowerBound)
        table.text("to", json: "to", \.range.upperBound)
    }
}

extension KernelVariant: Tabular {
    static func columns(_ table: inout Columns<KernelVariant>) {
        table.text("variant", json: "name", \.name)
        table.text("available") { $0.unavailable.map { "no: \($0)" } ?? "yes" }
        table.text("idea", json: "idea", \.idea)
        table.member("sources", \.sources)
        table.member("threads", \.isParallel)
        table.member("unavailable", ifPresent: \.unavailable)
    }
}
