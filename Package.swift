// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .treatAllWarnings(as: .error),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
]

// Tests gain nothing from optimization, which would take a fifth of the time of a release build. Exceptions are tests with
// arithmetic of their own.
let tests = strict + [.unsafeFlags(["-Onone"], .when(configuration: .release))]

// Kernels are optimized in debug builds too: unoptimized they are a hundred times slower, and nothing to look at.
let optimized = CSetting.unsafeFlags(["-O2"])
let warnings: [CSetting] = [.unsafeFlags(["-Wall", "-Wextra", "-Werror"])]

// The program carries the Swift library within it and runs where Swift is not installed; tests are linked with the shared
// library, since Swift Testing is one, so that both use the same objects.
let staticLibraries = [
    "Foundation", "FoundationEssentials", "FoundationInternationalization", "_FoundationCollections",
    "_FoundationCShims", "_FoundationICU", "CoreFoundation", "_CFXMLInterface", "swiftSynchronization",
    "swift_Concurrency", "swift_StringProcessing", "swift_RegexParser",
]
// lld finds symbols in archives in any order, which `-static-stdlib` requires here. The Makefile fills the folder with links
// to the archives of the C libraries; without it, the program needs the shared libraries. No target may use `pkgConfig`: its
// `-L/usr/lib/...` comes before this folder, where the linker would find the shared libraries first.
let staticSwift: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-static-stdlib", "-Xclang-linker", "-static-libgcc", "-use-ld=lld",
            "-L\(Context.packageDirectory)/.build/archives",
        ]
            + staticLibraries.map { "-l" + $0 })
]

let arguments = Target.Dependency.product(name: "ArgumentParser", package: "swift-argument-parser")
let sqlite = Target.Dependency.product(name: "GRDB", package: "GRDB.swift")
let toml = Target.Dependency.product(name: "TOMLKit", package: "TOMLKit")
let yaml = Target.Dependency.product(name: "Yams", package: "Yams")

let package = Package(
    name: "orrery",
    products: [
        .executable(name: "orrery", targets: ["orrery"]),
        .executable(name: "orrery-bench", targets: ["OrreryBench"]),
    ],
    traits: [
        .trait(name: "WithoutReadline", description: "Lines are edited by a small editor of our own.")
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", exact: "1.8.2"),
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        .package(url: "https://github.com/LebJe/TOMLKit", exact: "0.6.0"),
        .package(url: "https://github.com/jpsim/Yams", exact: "6.2.2"),
    ],
    targets: [
        // The program: the commands that open the workbench, next to all others.
        .executableTarget(
            name: "orrery",
            dependencies: [
                "Formatting", "Tables", "CommandSupport", "Commands", "Presentation", "System", "Workbench", "Evals",
                "EvalLogs", "Traces", "KernelLab", "ModelLab", "Interpretability", "Retrieval", "Kernels", "Workspace",
                "Console", "Configuration", "JSON", arguments,
            ],
            swiftSettings: strict, linkerSettings: staticSwift),

        // The command line: one folder per noun.
        .target(
            name: "Commands",
            dependencies: [
                "Formatting", "Tables", "CommandSupport", "Presentation", "System", "Hashing", "Evals", "EvalLogs",
                "Statistics", "Sandbox", "Traces", "KernelLab", "ModelLab", "TrainingLab", "FeatureLab",
                "Interpretability", "Agents", "Retrieval", "SearchIndexes", "Training", "Providers", "Inference",
                "Models", "Tokenizers", "Tensors", "Kernels", "Workspace", "Console", "LanguageModels",
                "Configuration", "JSON", arguments,
            ],
            swiftSettings: strict),

        // Measurements and checks for Benchmarks/, which users do not need.
        .executableTarget(
            name: "OrreryBench",
            dependencies: [
                "Formatting", "CommandSupport", "Presentation", "System", "Hashing", "Workbench", "Evals", "EvalLogs",
                "Statistics",
                "Sandbox",
                "Traces",
                "KernelLab", "FeatureLab", "Interpretability", "Retrieval", "SearchIndexes", "Training", "Providers",
                "Inference", "Models", "Tokenizers", "Tensors", "Kernels", "Workspace", "Console", "LanguageModels",
                "JSON", arguments,
            ],
            swiftSettings: strict, linkerSettings: staticSwift),

        // What both programs share: options, printing, and cancellation.
        .target(
            name: "CommandSupport",
            dependencies: [
                "Formatting", "System", "Tables", "Presentation", "Traces", "ModelLab", "Interpretability", "Retrieval",
                "Providers",
                "Workspace",
                "Console", "JSON", arguments,
            ],
            swiftSettings: strict),

        // What the workbench and the commands share: settings, migrations, samples, and figures.
        .target(
            name: "Presentation",
            dependencies: [
                "Formatting", "Tables", "System", "Console", "Evals", "Traces", "KernelLab", "ModelLab", "TrainingLab",
                "FeatureLab", "Retrieval", "Training", "Kernels", "Workspace", "LanguageModels", "Configuration",
                "JSON",
            ],
            swiftSettings: strict),

        // The terminal application.
        .target(
            name: "Workbench",
            dependencies: [
                "Presentation",
                "Formatting", "System", "Console", "Tables", "Evals", "EvalLogs", "Statistics", "Sandbox", "Traces",
                "KernelLab", "ModelLab",
                "TrainingLab",
                "FeatureLab", "Interpretability", "Agents", "Retrieval", "SearchIndexes", "Training", "Providers",
                "Inference", "Models", "Tokenizers", "Tensors", "Kernels",
                "Workspace", "LanguageModels", "Configuration", "JSON",
            ],
            swiftSettings: strict),
        // Tables whose columns are declared once, for pages and commands.
        .target(name: "Tables", dependencies: ["Console", "JSON"], swiftSettings: strict),
        .target(
            name: "Console", dependencies: ["Formatting", "System", "Hashing", "Configuration", "CTerminal", toml],
            swiftSettings: strict),

        // The engine.
        .target(
            name: "Evals",
            dependencies: [
                "Bytes", "Formatting", "System", "Hashing", "EvalLogs", "Statistics", "Sandbox", "Traces", "Retrieval",
                "SearchIndexes",
                "Agents",
                "ModelLab", "Providers",
                "Inference", "Models", "Tokenizers", "Tensors", "Workspace", "LanguageModels", "Configuration", "JSON",
                sqlite, toml, yaml,
            ],
            swiftSettings: strict),
        .target(name: "Statistics", dependencies: ["Formatting", "Hashing"], swiftSettings: strict),
        .target(name: "Sandbox", dependencies: ["System", "CSandbox"], swiftSettings: strict),
        .target(
            name: "EvalLogs",
            dependencies: [
                "Bytes", "Formatting", "System", "Traces", "Statistics", "LanguageModels", "Workspace", "JSON",
            ],
            swiftSettings: strict),
        .target(
            name: "Traces",
            dependencies: [
                "Bytes", "Formatting", "System", "Hashing", "Statistics", "LanguageModels", "Workspace",
                "Configuration", "JSON",
                sqlite, toml,
            ],
            swiftSettings: strict),
        .target(
            name: "KernelLab",
            dependencies: [
                "Bytes", "Formatting", "System", "Hashing", "Kernels", "CKernels", "Workspace", "Configuration", "JSON",
                sqlite,
                toml,
            ],
            swiftSettings: strict),
        .target(
            name: "ModelLab",
            dependencies: [
                "Formatting", "System", "Hashing", "Providers", "Inference", "Models", "Tokenizers", "Kernels",
                "Workspace",
                "LanguageModels", "JSON",
                sqlite,
            ],
            swiftSettings: strict),
        .target(
            name: "TrainingLab",
            dependencies: ["Bytes", "Formatting", "System", "Hashing", "Training", "Workspace", "JSON", sqlite],
            swiftSettings: strict),
        .target(
            name: "Retrieval",
            dependencies: [
                "Bytes", "Formatting", "System", "Hashing", "SearchIndexes", "Traces", "ModelLab", "Providers",
                "Inference",
                "Models",
                "Tokenizers", "Tensors",
                "Kernels", "Workspace", "LanguageModels", "Configuration", "JSON", sqlite, toml,
            ],
            swiftSettings: strict),
        .target(
            name: "FeatureLab",
            dependencies: [
                "Bytes", "System", "Hashing", "Interpretability", "ModelLab", "Models", "Tokenizers", "Tensors",
                "Kernels",
                "Workspace", "JSON",
                sqlite,
            ],
            swiftSettings: strict),
        .target(
            name: "Interpretability",
            dependencies: [
                "Formatting", "System", "Hashing", "Training", "Inference", "Models", "Tokenizers", "Tensors",
                "Kernels", "JSON",
            ],
            swiftSettings: strict),
        .target(
            name: "SearchIndexes", dependencies: ["Bytes", "Formatting", "Hashing", "Tensors", "Kernels", "CStemmer"],
            swiftSettings: strict),
        .target(
            name: "Agents", dependencies: ["Formatting", "System", "LanguageModels", "JSON"], swiftSettings: strict),
        .target(
            name: "Training",
            dependencies: [
                "Bytes", "Formatting", "System", "Hashing", "Models", "Tokenizers", "LanguageModels", "Tensors",
                "Kernels",
                "Configuration",
                "JSON", toml,
            ],
            swiftSettings: strict),
        .target(
            name: "Providers",
            dependencies: [
                "Formatting", "System", "Hashing", "Inference", "Models", "Tokenizers", "LanguageModels", "JSON",
                "CCurl",
            ],
            swiftSettings: strict),
        .target(
            name: "Inference",
            dependencies: ["Formatting", "System", "Hashing", "Models", "Tokenizers", "Kernels", "LanguageModels"],
            swiftSettings: strict),
        .target(
            name: "Models",
            dependencies: ["Formatting", "System", "Hashing", "Tokenizers", "Tensors", "Kernels", "JSON"],
            swiftSettings: strict),
        .target(
            name: "Tokenizers", dependencies: ["Bytes", "Hashing", "LanguageModels", "JSON"], swiftSettings: strict),
        .target(
            name: "Tensors", dependencies: ["Bytes", "Formatting", "Hashing", "Kernels", "JSON", "CZlib"],
            swiftSettings: strict),
        .target(name: "Kernels", dependencies: ["Formatting", "Hashing", "CKernels"], swiftSettings: strict),

        // The ground floor.
        .target(name: "System", swiftSettings: strict),
        .target(name: "Bytes", dependencies: ["System", "CZlib", "CZstandard"], swiftSettings: strict),
        .target(name: "Hashing", dependencies: ["Formatting"], swiftSettings: strict),
        .target(name: "Formatting", swiftSettings: strict),
        .target(
            name: "Workspace", dependencies: ["Formatting", "System", "CPageChecksums", "CZstandard", sqlite],
            swiftSettings: strict),
        .target(name: "LanguageModels", dependencies: ["JSON"], swiftSettings: strict),
        .target(name: "JSON", dependencies: ["Bytes", "CJSON"], swiftSettings: strict),
        // Files that people write: TOML with the lines of its keys, and the name that was meant.
        .target(name: "Configuration", dependencies: ["Formatting", "System", toml], swiftSettings: strict),

        // C: as small as it can be.
        .target(
            name: "CTerminal",
            cSettings: warnings + [.define("ORRERY_NO_READLINE", .when(traits: ["WithoutReadline"]))],
            linkerSettings: [.linkedLibrary("readline"), .linkedLibrary("ncursesw"), .linkedLibrary("tinfo")]),
        .target(name: "CJSON", cSettings: warnings),
        .target(name: "CSandbox", cSettings: warnings),
        .target(
            name: "CPageChecksums", cSettings: warnings + [optimized], linkerSettings: [.linkedLibrary("sqlite3")]),
        .target(name: "CCurl", cSettings: warnings),
        .target(
            name: "CKernels", cSettings: warnings + [.headerSearchPath("."), optimized],
            linkerSettings: [.linkedLibrary("m")]),
        .systemLibrary(name: "CStemmer"),
        .systemLibrary(name: "CZlib"),
        .systemLibrary(name: "CZstandard"),

        // What tests share.
        .target(name: "TestFixtures", path: "Tests/TestFixtures", swiftSettings: strict),

        .testTarget(name: "BytesTests", dependencies: ["Bytes"], swiftSettings: tests),
        .testTarget(name: "SystemTests", dependencies: ["System", "TestFixtures"], swiftSettings: tests),
        .testTarget(name: "HashingTests", dependencies: ["Hashing"], swiftSettings: tests),
        .testTarget(name: "FormattingTests", dependencies: ["Formatting"], swiftSettings: tests),
        .testTarget(
            name: "ConsoleTests",
            dependencies: ["Formatting", "System", "Hashing", "Configuration", "Console", "CTerminal", toml],
            swiftSettings: tests),
        .testTarget(
            name: "ConfigurationTests", dependencies: ["System", "Hashing", "Configuration", toml],
            swiftSettings: tests),
        .testTarget(name: "TablesTests", dependencies: ["Tables", "Console", "JSON"], swiftSettings: tests),
        .testTarget(name: "JSONTests", dependencies: ["Hashing", "JSON"], swiftSettings: tests),
        .testTarget(
            name: "TracesTests",
            dependencies: [
                "System", "Hashing", "Traces", "Configuration", "JSON", "LanguageModels", "Workspace", "TestFixtures",
                sqlite, toml,
            ],
            swiftSettings: tests),
        .testTarget(
            name: "EvalLogsTests",
            dependencies: [
                "Hashing", "EvalLogs", "Traces", "JSON", "LanguageModels", "Workspace", "TestFixtures",
            ],
            exclude: ["Goldens"], swiftSettings: tests),
        .testTarget(
            name: "WorkspaceTests",
            dependencies: ["System", "Hashing", "Workspace", "CPageChecksums", "TestFixtures", sqlite],
            swiftSettings: tests),
        .testTarget(
            name: "WorkbenchTests",
            dependencies: [
                "Formatting", "System", "Hashing", "Presentation", "Workbench", "Console", "Tables", "Evals",
                "EvalLogs", "Statistics",
                "Traces",
                "KernelLab", "ModelLab",
                "TrainingLab",
                "FeatureLab", "Interpretability", "Retrieval", "SearchIndexes", "Training", "Models", "Tokenizers",
                "Tensors",
                "Kernels", "Workspace", "JSON", "LanguageModels", "TestFixtures",
            ],
            exclude: ["Goldens"], swiftSettings: tests),
        .testTarget(
            name: "KernelsTests", dependencies: ["Kernels", "CKernels"], exclude: ["DotProducts/Goldens"],
            swiftSettings: strict),
        .testTarget(
            name: "TensorsTests", dependencies: ["Hashing", "Tensors", "Kernels", "JSON", "TestFixtures"],
            exclude: ["Goldens"],
            swiftSettings: strict),
        .testTarget(
            name: "KernelLabTests",
            dependencies: [
                "System", "Hashing", "KernelLab", "Kernels", "CKernels", "Workspace", "JSON", "TestFixtures", sqlite,
                toml,
            ],
            exclude: ["Fixtures"], swiftSettings: tests),
        .testTarget(
            name: "TokenizersTests", dependencies: ["Hashing", "Tokenizers", "LanguageModels", "JSON", "TestFixtures"],
            exclude: ["Goldens"], swiftSettings: tests),
        .testTarget(
            name: "ModelsTests", dependencies: ["Models", "Tokenizers", "Tensors", "Kernels", "JSON", "TestFixtures"],
            exclude: ["Goldens"], swiftSettings: tests),
        .testTarget(
            name: "InferenceTests",
            dependencies: [
                "Hashing", "Inference", "Models", "Tokenizers", "Kernels", "LanguageModels", "TestFixtures",
            ],
            exclude: ["Goldens"], swiftSettings: tests),
        .testTarget(
            name: "ProvidersTests",
            dependencies: ["System", "Providers", "Models", "Tokenizers", "LanguageModels", "JSON", "TestFixtures"],
            swiftSettings: tests),
        .testTarget(
            name: "ModelLabTests",
            dependencies: [
                "System", "ModelLab", "Providers", "Inference", "Models", "Tokenizers", "Workspace", "LanguageModels",
                "JSON",
                "TestFixtures", sqlite,
            ],
            swiftSettings: tests),
        .testTarget(
            name: "TrainingTests",
            dependencies: [
                "System", "Hashing", "Training", "Models", "Tokenizers", "LanguageModels", "Tensors", "Kernels", "JSON",
                "TestFixtures",
            ],
            exclude: ["Goldens"], swiftSettings: strict),
        .testTarget(
            name: "TrainingLabTests",
            dependencies: [
                "System", "Hashing", "TrainingLab", "Training", "Workspace", "JSON", "TestFixtures", sqlite,
            ],
            swiftSettings: tests),
        .testTarget(
            name: "AgentsTests",
            dependencies: ["System", "Hashing", "Agents", "Training", "LanguageModels", "JSON", "TestFixtures"],
            swiftSettings: tests),
        .testTarget(
            name: "SearchIndexesTests",
            dependencies: ["Hashing", "SearchIndexes", "Tensors", "Kernels", "JSON", "TestFixtures"],
            exclude: ["Goldens"], swiftSettings: strict),
        .testTarget(
            name: "RetrievalTests",
            dependencies: [
                "System", "Hashing", "Retrieval", "SearchIndexes", "Traces", "Models", "Tokenizers", "Tensors",
                "Kernels", "Workspace",
                "LanguageModels", "JSON", "TestFixtures", sqlite,
            ],
            exclude: ["Goldens"], swiftSettings: tests),
        .testTarget(
            name: "InterpretabilityTests",
            dependencies: [
                "System", "Interpretability", "Training", "Inference", "Models", "Tokenizers", "Tensors", "Kernels",
                "JSON",
                "TestFixtures",
            ],
            exclude: ["Goldens"], swiftSettings: strict),
        .testTarget(
            name: "FeatureLabTests",
            dependencies: [
                "System", "Hashing", "FeatureLab", "Interpretability", "ModelLab", "Models", "Tokenizers", "Tensors",
                "Kernels",
                "Workspace",
                "JSON", "TestFixtures", sqlite,
            ],
            swiftSettings: tests),
        .testTarget(
            name: "StatisticsTests", dependencies: ["Hashing", "Statistics", "JSON", "TestFixtures"],
            exclude: ["Goldens"],
            swiftSettings: tests),
        .testTarget(name: "SandboxTests", dependencies: ["System", "Sandbox", "TestFixtures"], swiftSettings: tests),
        .testTarget(
            name: "EvalsTests",
            dependencies: [
                "System", "Hashing", "Bytes", "Formatting", "Evals", "EvalLogs", "Statistics", "Sandbox", "Traces",
                "Retrieval",
                "Agents",
                "ModelLab", "Providers", "Inference", "Models",
                "Tokenizers", "Workspace", "LanguageModels", "JSON", "TestFixtures", sqlite,
            ],
            exclude: ["Goldens"], swiftSettings: tests),
        .testTarget(name: "CommandTests", dependencies: ["System", "JSON", "TestFixtures"], swiftSettings: tests),
    ]
)

// `ORRERY_TESTS="WorkbenchTests ConsoleTests" swift build --build-tests` builds only the named test targets.
if let wanted = Context.environment["ORRERY_TESTS"]?.split(separator: " "), !wanted.isEmpty {
    package.targets.removeAll { $0.type == .test && !wanted.contains(Substring($0.name)) }
}
