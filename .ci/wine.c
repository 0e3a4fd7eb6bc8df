/*
 * bcryptprimitives.dll for a Wine that is older than programs of Go expect (.ci/install-wine).
 *
 * Go's runtime asks this library for its random numbers, and ends without it; Wine has it from
 * version 9 on. And os.RemoveAll first asks the system to delete a file in a way that Wine does not
 * know before version 10, and that file systems other than NTFS do not know either. Go then does
 * without, provided that it is told so in one of three ways; Wine has a fourth, "not implemented".
 * Here it is one of the three.
 */
#include <windows.h>
#include <string.h>

BOOLEAN NTAPI SystemFunction036(PVOID, ULONG); /* RtlGenRandom of advapi32 */

__declspec(dllexport) BOOL WINAPI ProcessPrng(PBYTE p, SIZE_T n)
{
	while (n) {
		ULONG part = n > 1 << 28 ? 1 << 28 : (ULONG)n;
		if (!SystemFunction036(p, part))
			return FALSE;
		p += part;
		n -= part;
	}
	return TRUE;
}

typedef LONG(NTAPI *set_information_file)(HANDLE, PVOID, PVOID, ULONG, int);

static set_information_file original;

static LONG NTAPI replaced(HANDLE file, PVOID io, PVOID info, ULONG size, int class)
{
	LONG status = original(file, io, info, size, class);
	if (status == (LONG)0xC0000002)	   /* STATUS_NOT_IMPLEMENTED */
		return (LONG)0xC0000003;   /* STATUS_INVALID_INFO_CLASS */
	return status;
}

/* Whoever looks NtSetInformationFile up from now on finds ours: a jump to it, as the table of
 * exports holds distances from ntdll's begin that have 32 bits. */
BOOL WINAPI DllMain(HINSTANCE self, DWORD reason, LPVOID reserved)
{
	if (reason != DLL_PROCESS_ATTACH)
		return TRUE;
	BYTE *base = (BYTE *)GetModuleHandleA("ntdll.dll"), *jump = NULL;
	original = (set_information_file)GetProcAddress((HMODULE)base, "NtSetInformationFile");
	IMAGE_NT_HEADERS *head = (IMAGE_NT_HEADERS *)(base + ((IMAGE_DOS_HEADER *)base)->e_lfanew);
	IMAGE_EXPORT_DIRECTORY *exports = (IMAGE_EXPORT_DIRECTORY *)(base + head->OptionalHeader.DataDirectory[0].VirtualAddress);
	DWORD *functions = (DWORD *)(base + exports->AddressOfFunctions);
	for (SIZE_T away = 1 << 24; !jump && away < (SIZE_T)1 << 31; away += 1 << 20)
		jump = VirtualAlloc(base + away, 4096, MEM_RESERVE | MEM_COMMIT, PAGE_EXECUTE_READWRITE);
	if (!original || !jump)
		return FALSE;
	void *to = (void *)replaced;
	memcpy(jump, "\xff\x25\0\0\0\0", 6); /* jmp [rip] */
	memcpy(jump + 6, &to, sizeof to);
	for (DWORD i = 0; i < exports->NumberOfFunctions; i++) {
		DWORD before;
		if (base + functions[i] != (BYTE *)original)
			continue;
		if (!VirtualProtect(&functions[i], sizeof(DWORD), PAGE_READWRITE, &before))
			return FALSE;
		functions[i] = (DWORD)(jump - base);
		VirtualProtect(&functions[i], sizeof(DWORD), before, &before);
	}
	return TRUE;
}
