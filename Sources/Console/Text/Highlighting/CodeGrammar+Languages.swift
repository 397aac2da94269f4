extension CodeGrammar {
    private static let slashes: [[UInt8]] = [Array("//".utf8)]
    private static let hash: [[UInt8]] = [Array("#".utf8)]
    private static let stars = (open: Array("/*".utf8), close: Array("*/".utf8))

    static let swift = CodeGrammar(
        lineComments: slashes, blockComment: stars, nestsComments: true,
        quotes: [
            Quotes("#\"\"\"", "\"\"\"#", spansLines: true, escapes: false), Quotes("\"\"\"", spansLines: true),
            Quotes("#\"", "\"#", escapes: false), Quotes("\""),
        ],
        keywords: words(
            """
            actor any as associatedtype async await borrowing break case catch class consuming continue convenience
            default defer deinit didSet do else enum extension fallthrough fileprivate final for func get guard if
            import in indirect infix init inout internal is isolated lazy let mutating nonisolated nonmutating open
            operator optional override package postfix precedencegroup prefix private protocol public repeat required
            rethrows return set sending some static struct subscript super switch throw throws try typealias unowned
            var weak where while willSet
            """),
        constants: words("true false nil self Self"),
        sigils: [UInt8(ascii: "@"): .keyword, UInt8(ascii: "#"): .keyword])

    static let python = CodeGrammar(
        lineComments: hash,
        quotes: [
            Quotes("\"\"\"", spansLines: true), Quotes("'''", spansLines: true), Quotes("\""), Quotes("'"),
        ],
        keywords: words(
            """
            and as assert async await break case class continue def del elif else except finally for from global if
            import in is lambda match nonlocal not or pass raise return try while with yield
            """),
        constants: words("True False None self cls"),
        types: words("int float str bytes bool list dict set tuple object complex"),
        sigils: [UInt8(ascii: "@"): .keyword])

    static let javascript = CodeGrammar(
        lineComments: slashes, blockComment: stars,
        quotes: [Quotes("`", spansLines: true), Quotes("\""), Quotes("'")],
        keywords: words(
            """
            abstract as async await break case catch class const continue debugger declare default delete do else enum
            export extends finally for from function get if implements import in instanceof interface is keyof let
            namespace new of private protected public readonly return satisfies set static super switch throw try type
            typeof var void while with yield
            """),
        constants: words("true false null undefined this NaN Infinity"),
        types: words("string number boolean any unknown never object bigint symbol"),
        sigils: [UInt8(ascii: "@"): .keyword])

    static let c = CodeGrammar(
        lineComments: slashes, blockComment: stars,
        quotes: [Quotes("R\"(", ")\"", spansLines: true, escapes: false), Quotes("\""), Quotes("'")],
        keywords: words(
            """
            alignas alignof asm auto break case catch class co_await co_return co_yield concept const const_cast
            consteval constexpr constinit continue decltype default delete do dynamic_cast else enum explicit export
            extern final for friend goto if inline mutable namespace new noexcept operator override private protected
            public register reinterpret_cast requires restrict return sizeof static static_assert static_cast struct
            switch template thread_local throw try typedef typeid typename union using virtual volatile while
            __global__ __device__ __host__ __shared__ __restrict__ __attribute__
            """),
        constants: words("true false nullptr NULL this"),
        types: words(
            """
            void bool char short int long float double signed unsigned size_t ssize_t ptrdiff_t int8_t int16_t int32_t
            int64_t uint8_t uint16_t uint32_t uint64_t intptr_t uintptr_t wchar_t char8_t char16_t char32_t half
            """),
        directive: UInt8(ascii: "#"))

    static let rust = CodeGrammar(
        lineComments: slashes, blockComment: stars, nestsComments: true,
        quotes: [Quotes("r#\"", "\"#", spansLines: true, escapes: false), Quotes("\"", spansLines: true)],
        keywords: words(
            """
            as async await break const continue crate dyn else enum extern fn for if impl in let loop match mod move mut
            pub ref return static struct super trait type union unsafe use where while yield macro_rules
            """),
        constants: words("true false self Self None Some Ok Err"),
        types: words("bool char str i8 i16 i32 i64 i128 isize u8 u16 u32 u64 u128 usize f32 f64"),
        sigils: [UInt8(ascii: "'"): .keyword], directive: UInt8(ascii: "#"))

    static let go = CodeGrammar(
        lineComments: slashes, blockComment: stars,
        quotes: [Quotes("`", spansLines: true, escapes: false), Quotes("\""), Quotes("'")],
        keywords: words(
            """
            break case chan const continue default defer else fallthrough for func go goto if import interface map
            package range return select struct switch type var
            """),
        constants: words("true false nil iota"),
        types: words(
            """
            any bool byte comparable complex64 complex128 error float32 float64 int int8 int16 int32 int64 rune string
            uint uint8 uint16 uint32 uint64 uintptr
            """))

    static let java = CodeGrammar(
        lineComments: slashes, blockComment: stars,
        quotes: [Quotes("\"\"\"", spansLines: true), Quotes("\""), Quotes("'")],
        keywords: words(
            """
            abstract as assert async await break case catch class companion const constructor continue data default def
            do else enum extends final finally for fun get goto if implements import in init inline instanceof interface
            internal is lateinit lazy match namespace native new object of open operator out override package permits
            private protected public readonly record return sealed set static strictfp string super suspend switch
            synchronized throw throws trait transient try type typealias using val var virtual volatile when where while
            with yield
            """),
        constants: words("true false null this it"),
        types: words("void boolean byte short int long float double char bool decimal"),
        sigils: [UInt8(ascii: "@"): .keyword])

    static let shell = CodeGrammar(
        lineComments: hash,
        quotes: [Quotes("\"", spansLines: true), Quotes("'", spansLines: true, escapes: false)],
        keywords: words(
            """
            if then else elif fi for while until do done case esac in function select return exit break continue local
            export readonly declare set unset shift source alias trap eval exec time
            """),
        types: words(
            """
            cd ls cat grep sed awk find echo printf test git make swift python python3 pip npm node cargo go curl wget
            mkdir rm cp mv chmod sudo apt docker tail head sort uniq wc xargs tee diff
            """),
        capitalsAreTypes: false, callsAreFunctions: false, commentsFollowBlanks: true,
        sigils: [UInt8(ascii: "$"): .property])

    static let sql = CodeGrammar(
        lineComments: [Array("--".utf8)], blockComment: stars,
        quotes: [Quotes("'", spansLines: true, escapes: false), Quotes("\"", escapes: false)],
        keywords: words(
            """
            add all alter and as asc begin between by cascade case check column commit conflict constraint create cross
            database default delete desc distinct do drop else end except exists explain foreign from full group having
            if in index inner insert intersect into is join key left like limit match natural not nothing offset on or
            order outer over partition pragma primary references replace returning right rollback row rows select set
            strict table temp then transaction trigger union unique update using vacuum values view virtual when where
            window with without
            """),
        constants: words("true false null current_timestamp current_date"),
        types: words(
            "integer int bigint smallint text varchar char blob real float double numeric boolean date timestamp json"),
        capitalsAreTypes: false, ignoresCase: true)

    static let toml = CodeGrammar(
        lineComments: hash,
        quotes: [
            Quotes("\"\"\"", spansLines: true), Quotes("'''", spansLines: true, escapes: false), Quotes("\""),
            Quotes("'", escapes: false),
        ],
        constants: words("true false inf nan"), capitalsAreTypes: false, callsAreFunctions: false, keys: .equals)

    static let yaml = CodeGrammar(
        lineComments: hash, quotes: [Quotes("\"", spansLines: true), Quotes("'", spansLines: true, escapes: false)],
        constants: words("true false null yes no on off True False"), capitalsAreTypes: false,
        callsAreFunctions: false, commentsFollowBlanks: true,
        sigils: [UInt8(ascii: "&"): .keyword, UInt8(ascii: "*"): .keyword, UInt8(ascii: "!"): .type], keys: .colon)
}
