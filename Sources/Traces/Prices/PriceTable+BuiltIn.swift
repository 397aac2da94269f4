extension PriceTable {
    /// The prices that come with Orrery, `builtInText` read.
    public static let builtIn: PriceTable = {
        do {
            return try PriceTable(toml: builtInText)
        } catch {
            // The text is part of the program: a mistake in it is one of the program, and every cost would be missing.
            preconditionFailure("Invalid built-in prices: \(error)")
        }
    }()

    /// US dollars a million tokens, as the makers list them for ordinary (neither batch nor priority) calls. Tokens
    /// only: searches and containers are billed apart. `long_context` is the price of a whole call whose input is
    /// longer than `above`. A model whose price for cached input is not listed has none here.
    package static let builtInText = #"""
        as_of = "2026-11-05"
        source = "the providers' price pages and model pages"

        [models]
        # Anthropic: prices from the model pages under platform.claude.com/docs
        "claude-fable-5" = { input = 10.0, output = 50.0, cache_read = 1.0, cache_write = 12.5, cache_write_1h = 20.0 }
        "claude-fable-5-1" = { input = 10.0, output = 50.0 }
        "claude-opus-5-5" = { input = 4.0, output = 20.0, cache_read = 0.2, cache_write = 5.0, cache_write_1h = 8.0 }
        "claude-opus-5" = { input = 5.0, output = 25.0, cache_read = 0.5, cache_write = 6.25, cache_write_1h = 10.0 }
        "claude-opus-4-8" = { input = 5.0, output = 25.0, cache_read = 0.5, cache_write = 6.25, cache_write_1h = 10.0 }
        "claude-opus-4-7" = { input = 5.0, output = 25.0, cache_read = 0.5, cache_write = 6.25, cache_write_1h = 10.0 }
        "claude-opus-4-6" = { input = 5.0, output = 25.0, cache_read = 0.5, cache_write = 6.25, cache_write_1h = 10.0 }
        "claude-opus-4-5" = { input = 5.0, output = 25.0, cache_read = 0.5, cache_write = 6.25, cache_write_1h = 10.0 }
        "claude-opus-4-1" = { input = 15.0, output = 75.0, cache_read = 1.5, cache_write = 18.75, cache_write_1h = 30.0 }
        "claude-opus-4-0" = { input = 15.0, output = 75.0, cache_read = 1.5, cache_write = 18.75, cache_write_1h = 30.0 }
        "claude-opus-4" = { input = 15.0, output = 75.0, cache_read = 1.5, cache_write = 18.75, cache_write_1h = 30.0 }
        "claude-3-opus" = { input = 15.0, output = 75.0, cache_read = 1.5, cache_write = 18.75, cache_write_1h = 30.0 }
        "claude-sonnet-5-5" = { input = 2.0, output = 10.0, cache_read = 0.2, cache_write = 2.5, cache_write_1h = 4.0 }
        "claude-sonnet-5" = { input = 2.0, output = 10.0, cache_read = 0.2, cache_write = 2.5, cache_write_1h = 4.0 }
        "claude-sonnet-4-6" = { input = 3.0, output = 15.0, cache_read = 0.3, cache_write = 3.75, cache_write_1h = 6.0 }
        "claude-sonnet-4-5" = { input = 3.0, output = 15.0, cache_read = 0.3, cache_write = 3.75, cache_write_1h = 6.0, \#
            long_context = { above = 200000, input = 6.0, output = 22.5, cache_read = 0.6, cache_write = 7.5, cache_write_1h = 12.0 } }
        "claude-sonnet-4-0" = { input = 3.0, output = 15.0, cache_read = 0.3, cache_write = 3.75, cache_write_1h = 6.0, \#
            long_context = { above = 200000, input = 6.0, output = 22.5, cache_read = 0.6, cache_write = 7.5, cache_write_1h = 12.0 } }
        "claude-sonnet-4" = { input = 3.0, output = 15.0, cache_read = 0.3, cache_write = 3.75, cache_write_1h = 6.0, \#
            long_context = { above = 200000, input = 6.0, output = 22.5, cache_read = 0.6, cache_write = 7.5, cache_write_1h = 12.0 } }
        "claude-3-7-sonnet" = { input = 3.0, output = 15.0, cache_read = 0.3, cache_write = 3.75, cache_write_1h = 6.0 }
        "claude-3-5-sonnet" = { input = 3.0, output = 15.0, cache_read = 0.3, cache_write = 3.75, cache_write_1h = 6.0 }
        "claude-3-sonnet" = { input = 3.0, output = 15.0 }
        "claude-haiku-4-5" = { input = 1.0, output = 5.0, cache_read = 0.1, cache_write = 1.25, cache_write_1h = 2.0 }
        "claude-3-5-haiku" = { input = 0.8, output = 4.0, cache_read = 0.08, cache_write = 1.0, cache_write_1h = 1.6 }
        "claude-3-haiku" = { input = 0.25, output = 1.25, cache_read = 0.03, cache_write = 0.3, cache_write_1h = 0.5 }

        # OpenAI: developers.openai.com/api/docs/pricing, standard processing
        "gpt-5.6-sol" = { input = 5.0, output = 30.0, cache_read = 0.5, cache_write = 6.25, \#
            long_context = { above = 272000, input = 10.0, output = 45.0, cache_read = 1.0, cache_write = 12.5 } }
        "gpt-5.6-terra" = { input = 2.0, output = 12.0, cache_read = 0.2, cache_write = 2.5, \#
            long_context = { above = 272000, input = 4.0, output = 18.0, cache_read = 0.4, cache_write = 5.0 } }
        "gpt-5.6-luna" = { input = 0.2, output = 1.2, cache_read = 0.02, cache_write = 0.25, \#
            long_context = { above = 200000, input = 0.4, output = 1.8, cache_read = 0.04, cache_write = 0.5 } }
        "gpt-5.5" = { input = 5.0, output = 30.0, cache_read = 0.5, \#
            long_context = { above = 272000, input = 10.0, output = 45.0, cache_read = 1.0 } }
        "gpt-5.4" = { input = 2.5, output = 15.0, cache_read = 0.25, \#
            long_context = { above = 272000, input = 5.0, output = 22.5, cache_read = 0.5 } }
        "gpt-5.4-mini" = { input = 0.75, output = 4.5, cache_read = 0.075 }
        "gpt-5.4-nano" = { input = 0.2, output = 1.25, cache_read = 0.02 }
        "gpt-5.3-codex" = { input = 1.75, output = 14.0, cache_read = 0.175 }
        "gpt-5.2-codex" = { input = 1.75, output = 14.0, cache_read = 0.175 }
        "gpt-5.2" = { input = 1.75, output = 14.0, cache_read = 0.175 }
        "gpt-5.1" = { input = 1.25, output = 10.0, cache_read = 0.125 }
        "gpt-5.1-codex" = { input = 1.25, output = 10.0, cache_read = 0.125 }
        "gpt-5" = { input = 1.25, output = 10.0, cache_read = 0.125 }
        "gpt-5-codex" = { input = 1.25, output = 10.0, cache_read = 0.125 }
        "gpt-5-mini" = { input = 0.25, output = 2.0, cache_read = 0.025 }
        "gpt-5-nano" = { input = 0.05, output = 0.4, cache_read = 0.005 }
        "gpt-4.1" = { input = 2.0, output = 8.0, cache_read = 0.5 }
        "gpt-4.1-mini" = { input = 0.4, output = 1.6, cache_read = 0.1 }
        "gpt-4.1-nano" = { input = 0.1, output = 0.4, cache_read = 0.025 }
        "gpt-4o" = { input = 2.5, output = 10.0, cache_read = 1.25 }
        "gpt-4o-2024-05-13" = { input = 5.0, output = 15.0 }
        "gpt-4o-mini" = { input = 0.15, output = 0.6, cache_read = 0.075 }
        "o1" = { input = 15.0, output = 60.0, cache_read = 7.5 }
        "o3" = { input = 2.0, output = 8.0, cache_read = 0.5 }
        "o3-mini" = { input = 1.1, output = 4.4, cache_read = 0.55 }
        "o4-mini" = { input = 1.1, output = 4.4, cache_read = 0.275 }
        "gpt-4-turbo" = { input = 10.0, output = 30.0 }
        "gpt-4" = { input = 30.0, output = 60.0 }
        "gpt-4-0613" = { input = 30.0, output = 60.0 }
        "gpt-3.5-turbo" = { input = 0.5, output = 1.5 }
        "text-embedding-3-small" = { input = 0.02, output = 0.0 }
        "text-embedding-3-large" = { input = 0.13, output = 0.0 }
        "text-embedding-ada-002" = { input = 0.1, output = 0.0 }

        # Google: ai.google.dev/gemini-api/docs/pricing, text, standard processing
        "gemini-2.5-pro" = { input = 1.25, output = 10.0, cache_read = 0.125, \#
            long_context = { above = 200000, input = 2.5, output = 15.0, cache_read = 0.25 } }
        "gemini-2.5-flash" = { input = 0.3, output = 2.5, cache_read = 0.03 }
        "gemini-2.5-flash-lite" = { input = 0.1, output = 0.4, cache_read = 0.01 }
        "gemini-2.0-flash" = { input = 0.1, output = 0.4, cache_read = 0.025 }
        """#
}
