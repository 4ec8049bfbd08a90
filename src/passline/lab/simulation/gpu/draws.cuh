// Draw from an alias table (built in alias_table.py).
//
// Compile-time settings: COLUMN_BITS, STATE_BITS, WHOLE, NARROW, SHARED. The generator is xoshiro128++
// (Blackman and Vigna). A cell is (cut, first outcome, second outcome).

typedef unsigned int u32;
typedef unsigned long long u64;

#define BELOW (32 - COLUMN_BITS)
#define MASK ((1u << BELOW) - 1u)
#define STATES ((1u << STATE_BITS) - 1u)

#if NARROW
typedef uint2 Cell;
__device__ __forceinline__ u32 first_of(Cell cell) { return cell.y & 0xffffu; }
__device__ __forceinline__ u32 second_of(Cell cell) { return cell.y >> 16; }
#else
typedef uint4 Cell;
__device__ __forceinline__ u32 first_of(Cell cell) { return cell.y; }
__device__ __forceinline__ u32 second_of(Cell cell) { return cell.z; }
#endif

__device__ __forceinline__ u32 spin(u32 word, int by) { return (word << by) | (word >> (32 - by)); }

__device__ __forceinline__ u32 draw(uint4 &s) {
    u32 bits = spin(s.x + s.w, 7) + s.x;
    u32 shifted = s.y << 9;
    s.z ^= s.x;
    s.w ^= s.y;
    s.y ^= s.z;
    s.x ^= s.w;
    s.z ^= shifted;
    s.w = spin(s.w, 11);
    return bits;
}

// Draw a number below WHOLE and return whether it is below the rest. Lemire's multiplication; the
// few draws that would favor some numbers are repeated.
__device__ __forceinline__ bool decide(u64 rest, uint4 &s) {
    const u64 uneven = (0 - (u64)WHOLE) % WHOLE;  // 2 ** 64 mod WHOLE
    u64 bits;
    do {
        bits = (u64)draw(s) << 32;
        bits |= draw(s);
    } while (bits * WHOLE < uneven);
    return __umul64hi(bits, WHOLE) < rest;
}

// The finalizer of SplitMix64, and the generator state of a game: the same as in seeds.py.
__device__ __forceinline__ u64 mixed(u64 word) {
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9ull;
    word = (word ^ (word >> 27)) * 0x94D049BB133111EBull;
    return word ^ (word >> 31);
}

__device__ __forceinline__ uint4 stream_of(u64 run, u64 game) {
    const u64 golden = 0x9E3779B97F4A7C15ull;
    u64 word = mixed(run + (game + 1) * golden);
    u64 first = mixed(word + golden), second = mixed(word + 2 * golden);
    return make_uint4((u32)first | !(first | second), first >> 32, (u32)second, second >> 32);
}

// Declare ``table`` in a kernel: its ``cells``, copied to shared memory if SHARED.
#if SHARED
#define LOAD_TABLE                                                                 \
    extern __shared__ Cell table[];                                                \
    for (u32 at = threadIdx.x; at < size; at += blockDim.x) table[at] = cells[at]; \
    __syncthreads()
#else
#define LOAD_TABLE const Cell *__restrict__ table = cells
#endif

// Draw once from a state and return the outcome.
__device__ __forceinline__ u32 drawn(const Cell *table, const u64 *rests, u32 state, uint4 &s) {
    u32 bits = draw(s);
    u32 at = (state << COLUMN_BITS) | (bits >> BELOW);
    Cell cell = table[at];
    u32 below = bits & MASK;
    u32 out = below < cell.x ? first_of(cell) : second_of(cell);
    if (below == cell.x && decide(rests[at], s)) out = first_of(cell);
    return out;
}
